/// The verbs of the command.
enum AllVerbs {
  /// The verbs by what they are for, in the order of the help.
  static let groups: [(title: String, verbs: [Verb])] = [
    ("Receive events", [.serve, .sdks]),
    ("Check them, from any language", [.wait, .mark, .finish]),
    ("Plans and runs of tests", [.check, .coverage, .compare, .draft, .generate]),
    ("Reports", [.report]),
    ("The app's backend", [.record, .replay]),
  ]
  static let list = groups.flatMap(\.verbs)
}
