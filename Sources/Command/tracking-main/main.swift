import Foundation
import TrackingCommand

exit(Command.main(Array(CommandLine.arguments.dropFirst())))
