// swift-format-ignore-file
// JSON, whose strings have no line breaks.

extension CheckService {
  /// The OpenAPI 3.1 description of the requests: `GET openapi.json`.
  static let description = #"""
    {
      "openapi": "3.1.0",
      "info": {
        "title": "Checks by `tracking serve`",
        "version": "1",
        "description": "A test in any language checks what an app has tracked and requested. A response that isn't known is held back until it is; nothing polls.",
        "license": {"name": "See the repository"}
      },
      "servers": [{"url": "http://localhost:{port}/-tracking/v1", "variables": {"port": {"default": "8080"}}}],
      "security": [{"token": []}],
      "paths": {
        "/wait": {
          "post": {
            "operationId": "wait",
            "summary": "Waits until a check passes or fails.",
            "parameters": [
              {
                "name": "Tracking-Timeout-Scale",
                "in": "header",
                "schema": {"type": "number", "exclusiveMinimum": 0, "maximum": 100},
                "description": "A factor for the timeout and the settling time; by default, the variable TRACKING_TIMEOUT_SCALE of the server."
              }
            ],
            "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Check"}}}},
            "responses": {
              "200": {
                "description": "The check has passed or failed.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/CheckResponse"}}}
              },
              "400": {"$ref": "#/components/responses/Mistake"},
              "401": {"$ref": "#/components/responses/Unauthorized"},
              "413": {"$ref": "#/components/responses/TooLarge"},
              "503": {"$ref": "#/components/responses/Unavailable"}
            }
          }
        },
        "/marks": {
          "post": {
            "operationId": "mark",
            "summary": "Takes a mark, after everything that has arrived.",
            "requestBody": {
              "required": false,
              "content": {
                "application/json": {
                  "schema": {
                    "type": "object",
                    "properties": {
                      "asDefault": {
                        "const": true,
                        "description": "Begins a test: checks, entries and the finish without a mark look from here on."
                      },
                      "test": {"type": "string", "minLength": 1, "description": "The test's name, for the session, the page and JUnit."}
                    },
                    "additionalProperties": false,
                    "dependentRequired": {"test": ["asDefault"]}
                  }
                }
              }
            },
            "responses": {
              "200": {
                "description": "The mark.",
                "content": {
                  "application/json": {
                    "schema": {
                      "type": "object",
                      "properties": {"mark": {"type": "string"}},
                      "additionalProperties": false,
                      "required": ["mark"]
                    }
                  }
                }
              },
              "400": {"$ref": "#/components/responses/Mistake"},
              "401": {"$ref": "#/components/responses/Unauthorized"},
              "413": {"$ref": "#/components/responses/TooLarge"}
            }
          }
        },
        "/entries": {
          "get": {
            "operationId": "entries",
            "summary": "What has arrived, in order: events, requests and rejected submissions.",
            "parameters": [
              {"name": "kind", "in": "query", "schema": {"type": "array", "items": {"enum": ["event", "request", "rejection"]}}, "style": "form", "explode": false, "description": "Only entries of these kinds; all by default."},
              {"name": "name", "in": "query", "schema": {"type": "string", "minLength": 1}, "description": "Only the events of this name."},
              {"name": "stubbed", "in": "query", "schema": {"const": false}, "description": "`false`: only the requests that no stub matched."},
              {"name": "since", "in": "query", "schema": {"$ref": "#/components/schemas/Mark"}}
            ],
            "responses": {
              "200": {
                "description": "The entries, as in session.json.",
                "content": {
                  "application/json": {
                    "schema": {
                      "type": "object",
                      "properties": {
                        "counts": {
                          "type": "object",
                          "properties": {"event": {"type": "integer"}, "request": {"type": "integer"}, "rejection": {"type": "integer"}},
                          "additionalProperties": false,
                          "description": "The number of these entries of each kind."
                        },
                        "entries": {"$ref": "#/components/schemas/Entries"}
                      },
                      "additionalProperties": false,
                      "required": ["counts", "entries"]
                    }
                  }
                }
              },
              "400": {"$ref": "#/components/responses/Mistake"},
              "401": {"$ref": "#/components/responses/Unauthorized"},
              "413": {"$ref": "#/components/responses/TooLarge"}
            }
          }
        },
        "/stubs": {
          "post": {
            "operationId": "stub",
            "summary": "Installs stubs: an array of them, as `tracking serve --scenario` reads it.",
            "requestBody": {
              "required": true,
              "content": {"application/json": {"schema": {"type": "array", "items": {"$ref": "#/components/schemas/Stub"}}}}
            },
            "responses": {
              "200": {
                "description": "The number of stubs.",
                "content": {
                  "application/json": {
                    "schema": {
                      "type": "object",
                      "properties": {"stubs": {"type": "integer"}},
                      "additionalProperties": false,
                      "required": ["stubs"]
                    }
                  }
                }
              },
              "400": {"$ref": "#/components/responses/Mistake"},
              "401": {"$ref": "#/components/responses/Unauthorized"},
              "413": {"$ref": "#/components/responses/TooLarge"}
            }
          },
          "delete": {
            "operationId": "unstub",
            "summary": "Removes the stubs that were installed here.",
            "responses": {
              "200": {
                "description": "None is left.",
                "content": {
                  "application/json": {
                    "schema": {"type": "object", "properties": {"stubs": {"const": 0}}, "additionalProperties": false, "required": ["stubs"]}
                  }
                }
              },
              "400": {"$ref": "#/components/responses/Mistake"},
              "401": {"$ref": "#/components/responses/Unauthorized"},
              "413": {"$ref": "#/components/responses/TooLarge"}
            }
          }
        },
        "/finish": {
          "post": {
            "operationId": "finish",
            "summary": "Ends a test: lost events, the plan, requests without a stub, late matches.",
            "responses": {
              "200": {
                "description": "The failures that no check has reported.",
                "content": {
                  "application/json": {
                    "schema": {
                      "type": "object",
                      "properties": {
                        "passed": {"type": "boolean"},
                        "failures": {"type": "array", "items": {"$ref": "#/components/schemas/Failure"}},
                        "server": {"type": "string", "description": "The server's name, which stands for a test without one."},
                        "tests": {
                          "type": "array",
                          "description": "The server's tests so far. A finish right after another one adds none, unless it has failures or another name.",
                          "items": {
                            "type": "object",
                            "properties": {
                              "name": {"type": "string"},
                              "seconds": {"type": "number"},
                              "failures": {
                                "type": "array",
                                "description": "Those of its checks and of its finish.",
                                "items": {"$ref": "#/components/schemas/Failure"}
                              }
                            },
                            "additionalProperties": false,
                            "required": ["name", "seconds", "failures"]
                          }
                        },
                        "files": {"type": "object", "additionalProperties": {"type": "string"}}
                      },
                      "additionalProperties": false,
                      "required": ["passed", "failures", "server", "tests", "files"]
                    }
                  }
                }
              },
              "400": {"$ref": "#/components/responses/Mistake"},
              "401": {"$ref": "#/components/responses/Unauthorized"},
              "413": {"$ref": "#/components/responses/TooLarge"}
            },
            "requestBody": {
              "required": false,
              "content": {
                "application/json": {
                  "schema": {
                    "type": "object",
                    "properties": {
                      "since": {
                        "$ref": "#/components/schemas/Mark",
                        "description": "By default, the default mark, or the last finish if that is later."
                      },
                      "test": {"type": "string", "minLength": 1, "description": "The name of the test that ends."}
                    },
                    "additionalProperties": false
                  }
                }
              }
            }
          }
        },
        "/openapi.json": {
          "get": {
            "operationId": "description",
            "summary": "This description.",
            "security": [],
            "responses": {"200": {"description": "OpenAPI 3.1.", "content": {"application/json": {"schema": {"type": "object"}}}}}
          }
        }
      },
      "components": {
        "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "description": "The token of the URL that `tracking serve` prints."}},
        "responses": {
          "Mistake": {
            "description": "A mistake in the request, with its place: `inOrder[1].responded: expected a status, found \"yes\"`.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
          },
          "Unauthorized": {
            "description": "The token is missing or wrong.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
          },
          "TooLarge": {
            "description": "The request is larger than 1 MiB.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
          },
          "Unavailable": {
            "description": "The server ended before the response was known, or too many checks are held back.",
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
          }
        },
        "schemas": {
          "Check": {
            "oneOf": [
              {
                "type": "object",
                "properties": {
                  "event": {"type": "string", "minLength": 1},
                  "params": {
                    "type": "object",
                    "description": "Literals that the event must have; it may have others. A key may be a path: `items[0].price`."
                  },
                  "paramsSchema": {"type": ["object", "boolean"], "description": "A JSON Schema (2020-12) for all params of the event."},
                  "count": {"$ref": "#/components/schemas/Count"},
                  "within": {"$ref": "#/components/schemas/Within"},
                  "since": {"$ref": "#/components/schemas/Mark"},
                  "timeout": {"$ref": "#/components/schemas/Timeout"}
                },
                "if": {"properties": {"count": {"$ref": "#/components/schemas/CountFromZero"}}, "required": ["count"]},
                "then": {"properties": {"timeout": false}},
                "else": {"properties": {"within": false}},
                "additionalProperties": false,
                "required": ["event"]
              },
              {
                "type": "object",
                "properties": {
                  "request": {
                    "type": "string",
                    "pattern": "^([A-Za-z0-9!#$%&'*+.^_`|~-]+ )?/[^#]*$",
                    "description": "A method and a path: `POST /orders`, `GET /books?page=2`."
                  },
                  "query": {"type": "object", "description": "Items that the query must have."},
                  "requestHeaders": {"$ref": "#/components/schemas/RequestHeaders"},
                  "body": {"not": {"type": "null"}, "description": "JSON that the body must contain, at every level."},
                  "responded": {"$ref": "#/components/schemas/Responded"},
                  "count": {"$ref": "#/components/schemas/Count"},
                  "within": {"$ref": "#/components/schemas/Within"},
                  "since": {"$ref": "#/components/schemas/Mark"},
                  "timeout": {"$ref": "#/components/schemas/Timeout"}
                },
                "if": {"properties": {"count": {"$ref": "#/components/schemas/CountFromZero"}}, "required": ["count"]},
                "then": {"properties": {"timeout": false}},
                "else": {"properties": {"within": false}},
                "additionalProperties": false,
                "required": ["request"]
              },
              {
                "type": "object",
                "properties": {
                  "next": {"$ref": "#/components/schemas/EntryPattern"},
                  "since": {"$ref": "#/components/schemas/Mark"},
                  "timeout": {"$ref": "#/components/schemas/Timeout"}
                },
                "additionalProperties": false,
                "required": ["next"]
              },
              {
                "type": "object",
                "properties": {
                  "inOrder": {"type": "array", "items": {"$ref": "#/components/schemas/EntryPattern"}, "minItems": 1},
                  "since": {"$ref": "#/components/schemas/Mark"},
                  "timeout": {"$ref": "#/components/schemas/Timeout"}
                },
                "additionalProperties": false,
                "required": ["inOrder"]
              },
              {
                "type": "object",
                "properties": {
                  "inAnyOrder": {"type": "array", "items": {"$ref": "#/components/schemas/EntryPattern"}, "minItems": 1},
                  "since": {"$ref": "#/components/schemas/Mark"},
                  "timeout": {"$ref": "#/components/schemas/Timeout"}
                },
                "additionalProperties": false,
                "required": ["inAnyOrder"]
              },
              {
                "type": "object",
                "properties": {
                  "consecutive": {"type": "array", "items": {"$ref": "#/components/schemas/EntryPattern"}, "minItems": 1},
                  "since": {"$ref": "#/components/schemas/Mark"},
                  "timeout": {"$ref": "#/components/schemas/Timeout"}
                },
                "additionalProperties": false,
                "required": ["consecutive"]
              },
              {
                "type": "object",
                "properties": {
                  "none": {"$ref": "#/components/schemas/EntryPattern"},
                  "within": {"$ref": "#/components/schemas/Within"},
                  "since": {"$ref": "#/components/schemas/Mark"}
                },
                "additionalProperties": false,
                "required": ["none", "within"]
              },
              {
                "type": "object",
                "properties": {
                  "none": {"$ref": "#/components/schemas/EntryPattern"},
                  "before": {"$ref": "#/components/schemas/EntryPattern"},
                  "since": {"$ref": "#/components/schemas/Mark"},
                  "timeout": {"$ref": "#/components/schemas/Timeout"}
                },
                "additionalProperties": false,
                "required": ["none", "before"]
              },
              {
                "type": "object",
                "properties": {
                  "noDuplicates": {
                    "type": "object",
                    "properties": {
                      "within": {
                        "type": "number",
                        "exclusiveMinimum": 0,
                        "maximum": 86400,
                        "description": "Two equal events so many seconds apart are duplicates."
                      },
                      "ignoring": {"$ref": "#/components/schemas/EntryPatterns"}
                    },
                    "additionalProperties": false,
                    "required": ["within"]
                  },
                  "since": {"$ref": "#/components/schemas/Mark"},
                  "timeout": {"$ref": "#/components/schemas/Timeout"}
                },
                "additionalProperties": false,
                "required": ["noDuplicates"]
              },
              {
                "type": "object",
                "properties": {
                  "nothingElse": {
                    "type": "object",
                    "properties": {
                      "within": {"$ref": "#/components/schemas/Within"},
                      "ignoring": {"$ref": "#/components/schemas/EntryPatterns"}
                    },
                    "additionalProperties": false
                  },
                  "since": {"$ref": "#/components/schemas/Mark"}
                },
                "additionalProperties": false,
                "required": ["nothingElse"]
              },
              {
                "type": "object",
                "properties": {
                  "plan": {
                    "oneOf": [
                      {"const": true},
                      {
                        "type": "object",
                        "properties": {"ignoring": {"$ref": "#/components/schemas/EntryPatterns"}},
                        "additionalProperties": false
                      }
                    ]
                  },
                  "since": {"$ref": "#/components/schemas/Mark"},
                  "timeout": {"$ref": "#/components/schemas/Timeout"}
                },
                "additionalProperties": false,
                "required": ["plan"]
              },
              {
                "type": "object",
                "properties": {
                  "delivery": {"const": true},
                  "since": {"$ref": "#/components/schemas/Mark"},
                  "timeout": {"$ref": "#/components/schemas/Timeout"}
                },
                "additionalProperties": false,
                "required": ["delivery"]
              }
            ]
          },
          "CheckResponse": {
            "type": "object",
            "properties": {
              "passed": {"type": "boolean"},
              "kind": {"type": "string", "description": "The kind of the failure: `tooFew`."},
              "message": {"type": "string", "description": "The failure in words; its first line is complete alone."},
              "entries": {"$ref": "#/components/schemas/Entries"},
              "warning": {"type": "string", "description": "Why the check proves nothing: it passes without an event that the plan doesn't have, or it is `delivery`, and events came without numbers."},
              "nearest": {
                "type": "object",
                "properties": {
                  "number": {"type": "integer"},
                  "differences": {"type": "array", "items": {"$ref": "#/components/schemas/Difference"}}
                },
                "additionalProperties": false,
                "required": ["number", "differences"]
              }
            },
            "additionalProperties": false,
            "required": ["passed", "entries"],
            "if": {"properties": {"passed": {"const": false}}},
            "then": {"required": ["kind", "message"]}
          },
          "EntryPattern": {
            "oneOf": [
              {
                "type": "object",
                "properties": {
                  "event": {"type": "string", "minLength": 1},
                  "params": {
                    "type": "object",
                    "description": "Literals that the event must have; it may have others. A key may be a path: `items[0].price`."
                  },
                  "paramsSchema": {"type": ["object", "boolean"], "description": "A JSON Schema (2020-12) for all params of the event."}
                },
                "additionalProperties": false,
                "required": ["event"]
              },
              {
                "type": "object",
                "properties": {
                  "request": {
                    "type": "string",
                    "pattern": "^([A-Za-z0-9!#$%&'*+.^_`|~-]+ )?/[^#]*$",
                    "description": "A method and a path: `POST /orders`, `GET /books?page=2`."
                  },
                  "query": {"type": "object", "description": "Items that the query must have."},
                  "requestHeaders": {"$ref": "#/components/schemas/RequestHeaders"},
                  "body": {"not": {"type": "null"}, "description": "JSON that the body must contain, at every level."},
                  "responded": {"$ref": "#/components/schemas/Responded"}
                },
                "additionalProperties": false,
                "required": ["request"]
              }
            ]
          },
          "EntryPatterns": {"type": "array", "items": {"$ref": "#/components/schemas/EntryPattern"}},
          "Count": {
            "oneOf": [
              {"type": "integer", "minimum": 0},
              {
                "type": "object",
                "properties": {"atLeast": {"type": "integer", "minimum": 0}, "atMost": {"type": "integer", "minimum": 0}},
                "additionalProperties": false,
                "minProperties": 1
              }
            ]
          },
          "CountFromZero": {
            "description": "A count that may be 0, which has `within` and no `timeout`.",
            "oneOf": [{"const": 0}, {"type": "object", "properties": {"atLeast": {"const": 0}}, "required": ["atMost"]}]
          },
          "Responded": {
            "description": "The status of the response, a range of them, or any response.",
            "oneOf": [
              {"type": "integer", "minimum": 100, "maximum": 599},
              {"const": true},
              {
                "type": "object",
                "properties": {
                  "atLeast": {"type": "integer", "minimum": 100, "maximum": 599},
                  "atMost": {"type": "integer", "minimum": 100, "maximum": 599}
                },
                "additionalProperties": false
              }
            ]
          },
          "Mark": {"type": "string", "pattern": "^m[1-9][0-9]*$", "description": "A mark: only what arrived after it counts."},
          "Within": {
            "type": "number",
            "minimum": 0,
            "maximum": 86400,
            "description": "Seconds from the start of the check in which nothing more may arrive; 0.25 by default, except for `none`."
          },
          "Timeout": {"type": "number", "minimum": 0, "maximum": 86400, "description": "Seconds to wait; 5 by default."},
          "Stub": {
            "type": "object",
            "description": "Responses for the requests that a check with the same members finds; of equal stubs the last responds.",
            "properties": {
              "request": {
                "type": "string",
                "pattern": "^([A-Za-z0-9!#$%&'*+.^_`|~-]+ )?/[^#]*$",
                "description": "A path with or without a method: `GET /books/:id`, `/images/*`."
              },
              "query": {"type": "object", "description": "Items that the query must have."},
              "requestHeaders": {"$ref": "#/components/schemas/RequestHeaders"},
              "body": {"not": {"type": "null"}, "description": "JSON that the body must contain, at every level."},
              "times": {"type": "integer", "minimum": 1, "description": "The number of requests that it responds to."},
              "responses": {
                "type": "array",
                "minItems": 1,
                "items": {"$ref": "#/components/schemas/StubResponse"},
                "description": "Responses that are sent one after the other; the last one repeats."
              },
              "status": {"$ref": "#/components/schemas/StubResponse/properties/status"},
              "headers": {"$ref": "#/components/schemas/StubResponse/properties/headers"},
              "delay": {"$ref": "#/components/schemas/StubResponse/properties/delay"},
              "fault": {"$ref": "#/components/schemas/StubResponse/properties/fault"},
              "json": {"$ref": "#/components/schemas/StubResponse/properties/json"},
              "text": {"$ref": "#/components/schemas/StubResponse/properties/text"}
            },
            "additionalProperties": false,
            "required": ["request"],
            "not": {"required": ["json", "text"]},
            "if": {"required": ["responses"]},
            "then": {"properties": {"status": false, "headers": false, "delay": false, "fault": false, "json": false, "text": false}}
          },
          "StubResponse": {
            "type": "object",
            "properties": {
              "status": {"type": "integer", "minimum": 200, "maximum": 599, "description": "200 by default."},
              "headers": {
                "type": "object",
                "additionalProperties": {"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
                "description": "Header fields; an array is a field of that name for each element."
              },
              "delay": {"type": "number", "minimum": 0, "maximum": 86400, "description": "Seconds."},
              "fault": {
                "type": "object",
                "properties": {
                  "at": {"enum": ["requestHead", "requestBody", "response", "responseBody", "afterResponse"]},
                  "effect": {"enum": ["close", "reset", "stall", "garbage", "halfClose"]}
                },
                "additionalProperties": false,
                "required": ["at", "effect"]
              },
              "json": {"description": "The body, as JSON, with its numbers as they are written."},
              "text": {"type": "string", "description": "The body."}
            },
            "additionalProperties": false,
            "not": {"required": ["json", "text"]}
          },
          "RequestHeaders": {
            "type": "object",
            "additionalProperties": {"type": "string"},
            "description": "Header fields that the request must have, by names in any case."
          },
          "Difference": {
            "type": "object",
            "description": "What differs between an entry and what the check expected.",
            "properties": {
              "param": {
                "type": "string",
                "description": "The path of a param, or the part of a request: `items[0].price`, `path`. Missing if the event as a whole differs, as by its name."
              },
              "expected": {
                "description": "The expected value, the condition on it in words, or the broken keyword of `paramsSchema`; missing for a param that shouldn't be there."
              },
              "found": {"description": "The value; missing if there is none."},
              "reason": {"type": "string", "description": "The difference in words."}
            },
            "additionalProperties": false,
            "required": ["reason"]
          },
          "Failure": {
            "type": "object",
            "properties": {"kind": {"type": "string", "description": "`tooFew`, `unmatchedRequest`, …"}, "message": {"type": "string"}},
            "additionalProperties": false,
            "required": ["kind", "message"]
          },
          "Entries": {
            "type": "array",
            "items": {
              "type": "object",
              "properties": {
                "kind": {"enum": ["event", "request", "rejection", "lost"]},
                "number": {"type": "integer"},
                "milliseconds": {"type": "number"},
                "at": {"type": "string", "description": "The line of the app that tracked an event: `Shop/CheckoutModel.swift:41`."},
                "launch": {"type": "string", "description": "The launch of the app."},
                "count": {"type": "integer", "description": "The number of events of a launch that were tracked and never arrived."}
              },
              "required": ["kind"],
              "if": {"properties": {"kind": {"const": "lost"}}},
              "then": {"required": ["launch", "count"]},
              "else": {"required": ["number", "milliseconds"]}
            }
          },
          "Error": {"type": "object", "properties": {"error": {"type": "string"}}, "additionalProperties": false, "required": ["error"]}
        }
      }
    }

    """#
}
