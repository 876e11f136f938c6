import StorefrontEvents

/// A command of the user: a line typed at the prompt.
enum Command: Hashable {
  case openProduct(Int)
  case search(String)
  case save
  case retry
  case add
  case remove(Int?)
  case cart
  case checkout
  case pay(PaymentMethod)
  case back

  /// The command that a line means.
  init(_ line: String) throws(CommandError) {
    if let match = line.wholeMatch(of: /open product (\d+)/), let id = Int(match.1) {
      self = .openProduct(id)
    } else if let match = line.wholeMatch(of: /search (.+)/) {
      self = .search(String(match.1))
    } else if let match = line.wholeMatch(of: /remove (\d+)/), let id = Int(match.1) {
      self = .remove(id)
    } else if let match = line.wholeMatch(of: /pay (\w+)/), let method = PaymentMethod(rawValue: String(match.1)) {
      self = .pay(method)
    } else {
      switch line {
      case "add": self = .add
      case "remove": self = .remove(nil)
      case "cart": self = .cart
      case "checkout": self = .checkout
      case "back": self = .back
      case "retry": self = .retry
      case "save": self = .save
      default: throw .unknown(line)
      }
    }
  }

  /// The help text about the commands.
  static let help = """
    search TEXT           find products
    save                  keep the search in view for the next visit
    open product NUMBER   show a product
    add                   put the product in view into the cart
    remove [NUMBER]       take the product in view, or one in the cart, out again
    cart                  show the cart
    checkout              go from the cart to paying it
    pay card|invoice      place the order
    back                  go back one screen
    retry                 try again what has failed last
    quit                  leave the shop
    """
}

/// The reason why a command was not carried out.
enum CommandError: Error, Hashable, CustomStringConvertible {
  case unknown(String)
  case notHere

  var description: String {
    switch self {
    case .unknown(let line): "\"\(line)\" is not a command; \"help\" lists them."
    case .notHere: "That cannot be done here."
    }
  }
}
