/// Which of several misses comes nearest to what was asked for.
package enum NearestMiss {
  /// The place of the nearest miss, of equally near ones of the later; `nil` when there is none.
  ///
  /// The misses are given in the order in which their events came.
  package static func index(in misses: [EventMismatch]) -> Int? {
    var nearest: (index: Int, distance: Double)?
    for (index, miss) in misses.enumerated() {
      let distance = miss.distance
      if distance <= nearest?.distance ?? .infinity { nearest = (index, distance) }
    }
    return nearest?.index
  }
}
