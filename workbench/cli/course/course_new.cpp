// course new: the folders of a lab that is about to be written.
#include "cli/verbs/verbs.hpp"
#include "core/admission/skeleton.hpp"

namespace klab::cli {

int course_new(const Context& context, const CourseNewOptions& options) {
  const auto like = lab_named(context, options.like);
  if (!like) return fail(context, like.error());
  const auto made = make_skeleton(*like, options.number, options.slug);
  if (!made) return fail(context, made.error());
  print("\n");
  for (const std::filesystem::path& path : *made) print("  " + path.string() + "\n");
  print("\n" +
        paragraph(context.out,
                  "They are those of " + like->id + ", with " + std::string(author_mark) +
                      " where the new lab has something of its own to say. `./klab course check " +
                      std::to_string(options.number) +
                      "` names what is left; docs/adding-a-lab.md has the steps.",
                  2) +
        "\n");
  return exit_ok;
}

}  // namespace klab::cli
