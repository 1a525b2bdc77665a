#ifndef ARGENT_REPORT_SVG_H
#define ARGENT_REPORT_SVG_H

#include <string>
#include <vector>

namespace argent::report {

struct Point {
    double x = 0, y = 0;
};

/** An inline SVG drawing, built front to back. Looks come from the page's style sheet: everything takes a class. Texts are
 *  escaped here; coordinates are printed to a tenth of a pixel, so equal drawings are equal bytes. */
class Svg {
public:
    enum class Anchor { Start, Middle, End };

    /** `label` is what a screen reader says. */
    Svg(double width, double height, const std::string &label, const std::string &css = "");

    void rect(double x, double y, double w, double h, const std::string &css, double radius = 0,
              const std::string &tip = "");
    void line(Point from, Point to, const std::string &css);
    void path(const std::string &d, const std::string &css, const std::string &attributes = "",
              const std::string &tip = "");
    void circle(Point centre, double radius, const std::string &css);
    void text(double x, double y, const std::string &content, const std::string &css,
              Anchor anchor = Anchor::Start);
    /** A group with a tool tip; end with close(). */
    void open(const std::string &css, const std::string &attributes = "",
              const std::string &tip = "");
    void close();

    std::string str() const;

private:
    std::string body;
};

/** "12.5", "-3": a coordinate. */
std::string px(double value);

/** A curve through `points`, which fall in y; vertical at both ends. */
std::string smooth_fall(const std::vector<Point> &points);

/** Goes on from the last point along right angles with round corners. */
std::string rounded_corners(const std::vector<Point> &points, double radius);

}  // namespace argent::report

#endif
