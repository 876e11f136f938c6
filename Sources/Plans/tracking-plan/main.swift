import Foundation
import TrackingPlanKit

exit(CommandLineTool().run(Array(CommandLine.arguments.dropFirst())))
