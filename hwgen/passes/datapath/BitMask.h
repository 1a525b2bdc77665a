#ifndef ARGENT_HWGEN_PASSES_DATAPATH_BIT_MASK_H
#define ARGENT_HWGEN_PASSES_DATAPATH_BIT_MASK_H

namespace argent::hwgen {

/** A set of a value's bits; no value of a datapath has more than 128. */
using BitMask = unsigned __int128;

inline BitMask bit_mask(int i) { return static_cast<BitMask>(1) << i; }
inline BitMask low_bits_mask(int n) { return n >= 128 ? ~static_cast<BitMask>(0) : bit_mask(n) - 1; }

/** The first and the last bit of a set that is not empty. */
inline int lowest_bit(BitMask m) {
    int i = 0;
    while (!(m & bit_mask(i))) ++i;
    return i;
}
inline int highest_bit(BitMask m) {
    int i = 127;
    while (!(m & bit_mask(i))) --i;
    return i;
}

}  // namespace argent::hwgen

#endif
