import Foundation
import TrackingModel

/// The events of the tracking plan.
enum OddNames {
  /// The event `Wörter & Leerzeichen / 日本`.
  struct WörterLeerzeichen日本: TrackingSchema, Hashable {
    /// `Wörter & Leerzeichen / 日本`.
    static let eventName = "Wörter & Leerzeichen / 日本"

    /// `straße`.
    var straße: String
    /// `2fa code`.
    var param2faCode: String
    /// `$set`.
    var set: String
    /// `é`.
    var é: String

    /// An event with its params.
    init(
      straße: String,
      param2faCode: String,
      set: String,
      é: String
    ) {
      self.straße = straße
      self.param2faCode = param2faCode
      self.set = set
      self.é = é
    }

    private enum CodingKeys: String, CodingKey {
      case straße
      case param2faCode = "2fa code"
      case set = "$set"
      case é
    }
  }

  /// The event `keywords`.
  struct Keywords: TrackingSchema, Hashable {
    /// `keywords`.
    static let eventName = "keywords"

    /// `inout`.
    var `inout`: String
    /// `let`.
    var `let`: Int
    /// `var`.
    var `var`: Int
    /// `default`.
    var `default`: Bool
    /// `self`.
    var selfValue: String
    /// `init`.
    var initValue: String
    /// `as`.
    var `as`: String
    /// `in`.
    var `in`: String?

    /// An event with its params.
    init(
      `inout`: String,
      `let`: Int,
      `var`: Int,
      `default`: Bool,
      selfValue: String,
      initValue: String,
      `as`: String,
      `in`: String? = nil
    ) {
      self.inout = `inout`
      self.let = `let`
      self.var = `var`
      self.default = `default`
      self.selfValue = selfValue
      self.initValue = initValue
      self.as = `as`
      self.in = `in`
    }

    private enum CodingKeys: String, CodingKey {
      case `inout`
      case `let`
      case `var`
      case `default`
      case selfValue = "self"
      case initValue = "init"
      case `as`
      case `in`
    }
  }

  /// The event `nested`.
  struct Nested: TrackingSchema, Hashable {
    /// `nested`.
    static let eventName = "nested"

    /// `page`.
    var page: Page
    /// `grid`.
    var grid: [[Int?]]
    /// `price`.
    var price: PriceTag
    /// `prices`.
    var prices: [PriceTag]?

    /// An event with its params.
    init(
      page: Page,
      grid: [[Int?]],
      price: PriceTag,
      prices: [PriceTag]? = nil
    ) {
      self.page = page
      self.grid = grid
      self.price = price
      self.prices = prices
    }

    /// The object `nested.page`.
    struct Page: Codable, Hashable, Sendable {
      /// `url`.
      var url: URL
      /// `views`.
      var views: [Views]

      /// An object with its members.
      init(
        url: URL,
        views: [Views]
      ) {
        self.url = url
        self.views = views
      }

      /// The object `nested.page.views`.
      struct Views: Codable, Hashable, Sendable {
        /// `at`.
        var at: Date
        /// `by`.
        var by: UUID?

        /// An object with its members.
        init(
          at: Date,
          by: UUID? = nil
        ) {
          self.at = at
          self.by = by
        }

        private enum CodingKeys: String, CodingKey {
          case at
          case by
        }
      }

      private enum CodingKeys: String, CodingKey {
        case url
        case views
      }
    }

    private enum CodingKeys: String, CodingKey {
      case page
      case grid
      case price
      case prices
    }
  }

  /// The event `nothing`.
  struct Nothing: TrackingSchema, Hashable {
    /// `nothing`.
    static let eventName = "nothing"

    /// An event with its params.
    init() {}
  }

  /// The event `odd cases`.
  struct OddCases: TrackingSchema, Hashable {
    /// `odd cases`.
    static let eventName = "odd cases"

    /// `case`.
    var `case`: Case
    /// `cases`.
    var cases: [Cases]
    /// `order`.
    var order: Order?

    /// An event with its params.
    init(
      `case`: Case,
      cases: [Cases],
      order: Order? = nil
    ) {
      self.case = `case`
      self.cases = cases
      self.order = order
    }

    /// The values of `odd cases.case`.
    enum Case: String, Codable, CaseIterable, Hashable, Sendable {
      case `default`
      case initValue = "init"
      case noneValue = "none"
      case selfValue = "self"
      case value10 = "10 %"
      case empty = ""
      case type = "Type"
      case xRay = "x-ray"
      case `nil`
    }

    /// The values of `odd cases.cases`.
    enum Cases: String, Codable, CaseIterable, Hashable, Sendable {
      case a
      case bC = "B c"
    }

    /// The values of `odd cases.order`.
    enum Order: String, Codable, CaseIterable, Hashable, Sendable {
      case first
    }

    private enum CodingKeys: String, CodingKey {
      case `case`
      case cases
      case order
    }
  }

  /// The event `optional first`.
  struct OptionalFirst: TrackingSchema, Hashable {
    /// `optional first`.
    static let eventName = "optional first"

    /// `total`.
    var total: Double?
    /// Whatever it is.
    var anything: TrackingValue
    /// `coupon`.
    var coupon: String?
    /// `something`.
    var something: TrackingValue?

    /// An event with its params.
    init(
      total: Double?,
      anything: TrackingValue,
      coupon: String? = nil,
      something: TrackingValue? = nil
    ) {
      self.total = total
      self.anything = anything
      self.coupon = coupon
      self.something = something
    }

    private enum CodingKeys: String, CodingKey {
      case total
      case anything
      case coupon
      case something
    }

    /// Writes `null` where a required param has no value.
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(self.total, forKey: .total)
      try container.encode(self.anything, forKey: .anything)
      try container.encodeIfPresent(self.coupon, forKey: .coupon)
      try container.encodeIfPresent(self.something, forKey: .something)
    }
  }

  /// The event `renamed`.
  struct WithAnotherName: TrackingSchema, Hashable {
    /// `renamed`.
    static let eventName = "renamed"

    /// `was`.
    var isNow: String
    /// `kind`.
    var kind: Kind
    /// `lines`.
    var lines: [Line]

    /// An event with its params.
    init(
      isNow: String,
      kind: Kind,
      lines: [Line]
    ) {
      self.isNow = isNow
      self.kind = kind
      self.lines = lines
    }

    /// The values of `renamed.kind`.
    enum Kind: String, Codable, CaseIterable, Hashable, Sendable {
      case slash = "a/b"
      case aB = "a_b"
    }

    /// The object `renamed.lines`.
    struct Line: Codable, Hashable, Sendable {
      /// `product_id`.
      var productID: Int

      /// An object with its members.
      init(
        productID: Int
      ) {
        self.productID = productID
      }

      private enum CodingKeys: String, CodingKey {
        case productID = "product_id"
      }
    }

    private enum CodingKeys: String, CodingKey {
      case isNow = "was"
      case kind
      case lines
    }
  }

  /// The values of `types.currency`.
  enum Currency: String, Codable, CaseIterable, Hashable, Sendable {
    case eur = "EUR"
    case us = "US$"
    case noneValue = "none"
  }

  /// The object `types.price tag`.
  struct PriceTag: Codable, Hashable, Sendable {
    /// `amount`.
    var amount: Double
    /// `currency`.
    var currency: Currency

    /// An object with its members.
    init(
      amount: Double,
      currency: Currency
    ) {
      self.amount = amount
      self.currency = currency
    }

    private enum CodingKeys: String, CodingKey {
      case amount
      case currency
    }
  }
}
