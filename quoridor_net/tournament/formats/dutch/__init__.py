"""The pairings of a round by the FIDE (Dutch) System.

Articles are those of FIDE's Handbook C.04.3, *FIDE (Dutch) System*, applied from 1 February 2026. C1 to C21
are its criteria, the most important first.

Score groups are paired from the top. The candidates for the pairing of a bracket are not tried one by one, as
an arbiter would. Instead, every pair has a weight, a number whose digits are the criteria and then the place
in the order of candidates, so that the matching of maximum weight is the first of the best candidates.
"""
