#ifndef ARGENT_HWGEN_IR_BORDER_H
#define ARGENT_HWGEN_IR_BORDER_H

namespace argent::hwgen {

/** How an index that lies outside of a domain lo..hi comes inside; as Halide's BoundaryConditions of these names, Repeat as repeat_image.
 *    domain 0..3, index -2..5:   Edge 0 0 [0 1 2 3] 3 3   MirrorImage 1 0 [0 1 2 3] 3 2   MirrorInterior 2 1 [0 1 2 3] 2 1
 *                                Repeat 2 3 [0 1 2 3] 0 1
 *  No user's, but those of cover_borders and cover_sides, in place of Edge: outside is the least or the largest number of the element's range; and that of
 *  free_exteriors: what is outside decides nothing, and may be any number. */
enum class Border { Edge, MirrorImage, MirrorInterior, Repeat, Least, Largest, Any };

inline bool is_covered(Border b) { return b == Border::Least || b == Border::Largest; }

/** Whether the element at the edge may stand for those beyond it: what is covered may as well be repeated (CoverBorders.h), and so may what is any number. */
inline bool may_repeat_edge(Border b) { return b == Border::Edge || is_covered(b) || b == Border::Any; }

/** Who has what lies beyond the edges of the domain. */
enum class Outside {
    Chosen,    // readers choose it, by their place
    Repeated,  // what they read goes on beyond the edge (RepeatInputs.h, RepeatRows.h)
};

/** The domain that all borders of a region of one rate share: Region::borders. Others are numbers in Region::domains. */
constexpr int common_domain = -1;

}  // namespace argent::hwgen

#endif
