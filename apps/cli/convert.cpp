// tilewright convert: the options of a conversion. convert/job.cpp runs it.
#include "apps/cli/command.hpp"
#include "apps/cli/convert/job.hpp"
#include "apps/cli/option_values.hpp"
#include "apps/cli/shared_options.hpp"

namespace tilewright::cli {
namespace {

constexpr char const* introduction =
    "Writes the array of IN to OUT with its elements in another order.\n\n"
    "  tilewright convert in.npy out.npy --permute 2,0,1         numpy.transpose, the last axis fastest\n"
    "  tilewright convert in.npy out.npy --order F               the same array, the first axis fastest\n"
    "  tilewright convert in.npy out.npy --to nhwc               an array (n,c,h,w) as (n,h,w,c)\n"
    "  tilewright convert in.npy out.npy --to nChw16c            channels in blocks of 16\n"
    "  tilewright convert in.npy out.npy --to '((16,4),64):((1,1024),16)'\n"
    "  tilewright convert big.npy out.npy --byte-order little    numbers of big-endian files\n"
    "  tilewright convert a.npz:weights b.npz:weights --order F  members of .npz archives\n"
    "  tilewright convert - - --permute 1,0 < in.npy > out.npy   standard streams\n\n"
    "Without any of these, the last axis becomes the fastest. Files may be larger than memory. What is written is\n"
    "verified. OUT appears when it is complete; whatever goes wrong leaves what was there before.";

void keep(CLI::Option const* option, std::string const& text, std::optional<std::string>& to) {
  if (option->count() > 0) to = text;
}

}  // namespace

int run_convert(words const& given) {
  CLI::App app(introduction, "tilewright convert");
  convert_request r;
  std::string permute, to, order, byte_order, version, memory;
  app.add_option("IN", r.in, "a .npy file, a member such as a.npz:weights, or - for standard input")->type_name("FILE");
  app.add_option("OUT", r.out, "a .npy file, a member such as b.npz:weights, or - for standard output")
      ->type_name("FILE");
  auto const* permute_option =
      app.add_option("--permute", permute, "axes of the input in their new order, such as 2,0,1")->type_name("AXES");
  auto const* to_option =
      app.add_option("--to", to, "a layout for the output over the axes of the input, or the name of a format")
          ->type_name("LAYOUT");
  auto const* order_option =
      app.add_option("--order", order, "C: the last axis fastest; F: the first")->type_name(choices_of({"C", "F"}));
  auto const* byte_order_option =
      app.add_option("--byte-order", byte_order, "of the output's numbers; that of the input if left out")
          ->type_name(choices_of({"little", "big", "native"}));
  auto const* version_option =
      app.add_option("--npy-version", version, "of the output's format; the lowest that will do if left out")
          ->type_name(choices_of({"1", "2", "3"}));
  add_device_option(app, r.device);
  add_threads_option(app, r.threads);
  auto const* memory_option =
      app.add_option("--memory", memory, "bytes that the process may keep resident, such as 512M; chosen if left out")
          ->type_name("BYTES");
  app.add_flag("--verify", r.verify, "read the output back from the disk and compare every element");
  app.add_flag("--no-verify", r.no_verify, "do not verify at all");
  app.add_flag("--compress", r.compress, "deflate the member of a .npz archive");
  app.add_flag("--dry-run", r.dry_run, "say what would be done, and write nothing");
  app.add_flag("--force", r.force, "replace OUT where it exists");
  add_json_option(app, r.json);
  // CLI11 takes the word after "--permute=" for its value; an array without axes has an empty one.
  words divided;
  for (std::string const& word : given) {
    divided.push_back(word == "--permute=" ? "--permute" : word);
    if (word == "--permute=") divided.emplace_back();
  }
  if (!parse(app, divided)) return success;
  keep(permute_option, permute, r.permute);
  keep(to_option, to, r.to);
  keep(order_option, order, r.order);
  keep(byte_order_option, byte_order, r.byte_order);
  keep(version_option, version, r.version);
  keep(memory_option, memory, r.memory);
  return run_conversion(r);
}

}  // namespace tilewright::cli
