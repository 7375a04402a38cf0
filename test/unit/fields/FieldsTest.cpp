// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fields/Fields.h"

#include "gtest/gtest.h"

using namespace autoprof::fields;

namespace shapes {

enum class Color { None, Red, Green };
llvm::StringRef name(Color C) {
  constexpr llvm::StringLiteral Names[] = {"", "red", "green"};
  return Names[unsigned(C)];
}

struct Corner {
  int64_t X = 0;
};

struct Shape {
  std::string Name, Note;
  Color Fill = Color::None;
  uint64_t Id = 0;
  uint32_t Line = 0;
  int64_t Time = 0;
  double Part = 0;
  bool IsBig = false, IsNew = false;
  std::optional<int64_t> Wait;
  std::optional<double> Vary;
  std::optional<Corner> Middle;
  std::vector<Corner> Corners;
  std::vector<int64_t> Times;
  std::map<std::string, std::string> Words;
};

void cornerFields(Fields &F, Corner &C) {
  F.field("x", "where", C.X, Bounds::Any);
}

void shapeFields(Fields &F, Shape &S) {
  F.format("autoprof-shape/1", "A shape.");
  F.field("name", "its name", S.Name);
  F.text("note", "", S.Note);
  F.choice("fill", "", S.Fill, Color::Green);
  F.id("id", "", S.Id);
  F.unlessZero("line", "", S.Line);
  F.field("time_ns", "", S.Time);
  F.field("part", "", S.Part, Bounds::Share);
  F.field("big", "", S.IsBig);
  F.either("age", "", S.IsNew, "new", "old");
  F.field("wait_ns", "", S.Wait);
  F.rounded("vary", "", S.Vary, 3);
  auto Corner = [&](shapes::Corner &C) { cornerFields(F, C); };
  F.object("middle", "", S.Middle, Corner);
  F.list("corners", "", S.Corners, Corner);
  F.mayLack(!S.Times.empty(), [&] { F.field("times_ns", "", S.Times); });
  F.field("words", "", S.Words);
}

} // namespace shapes

namespace {

using shapes::Shape;

std::string written(Shape S) {
  std::string Text;
  llvm::raw_string_ostream Out(Text);
  writeFields(Out, [&](Fields &F) { shapeFields(F, S); }, /*Indent=*/0);
  return Text;
}

/// What is wrong with the document.
std::string problem(llvm::StringRef Json, Shape &S) {
  llvm::json::Value V = llvm::cantFail(llvm::json::parse(Json));
  Fields F(*V.getAsObject());
  shapeFields(F, S);
  return F.wrong();
}

Shape example() {
  Shape S;
  S.Name = "a\xff";
  S.Fill = shapes::Color::Red;
  S.Id = 0x1f;
  S.Line = 7;
  S.Time = 12;
  S.Part = 0.5;
  S.IsNew = true;
  S.Vary = 0.005;
  S.Middle = shapes::Corner{-3};
  S.Corners = {{1}, {2}};
  S.Times = {4, 5};
  S.Words["k"] = "v";
  return S;
}

TEST(Fields, AreWrittenInTheirOrder) {
  EXPECT_EQ(
      written(example()),
      "{\"schema\":\"autoprof-shape/1\",\"name\":\"a\xef\xbf\xbd\",\"note\":"
      "null,\"fill\":\"red\",\"id\":\"0x000000000000001f\",\"line\":7,"
      "\"time_ns\":12,\"part\":0.5,\"big\":false,\"age\":\"new\",\"wait_ns\":"
      "null,\"vary\":0.005,\"middle\":{\"x\":-3},\"corners\":[{\"x\":1},{\"x\":"
      "2}],\"times_ns\":[4,5],\"words\":{\"k\":\"v\"}}\n");
}

TEST(Fields, AreNullWhereNothingIsKnown) {
  EXPECT_EQ(written(Shape()),
            "{\"schema\":\"autoprof-shape/1\",\"name\":\"\",\"note\":null,"
            "\"fill\":null,\"id\":null,\"line\":null,\"time_ns\":0,\"part\":0,"
            "\"big\":false,\"age\":\"old\",\"wait_ns\":null,\"vary\":null,"
            "\"middle\":null,\"corners\":[],\"words\":{}}\n");
}

TEST(Fields, AreReadAsTheyWereWritten) {
  const std::string Json = written(example());
  Shape S;
  EXPECT_EQ(problem(Json, S), "");
  EXPECT_EQ(written(S), Json);
  Shape Empty;
  EXPECT_EQ(problem(written(Shape()), Empty), "");
  EXPECT_EQ(written(Empty), written(Shape()));
}

TEST(Fields, NameTheFirstValueThatIsWrong) {
  const std::string Json = written(example());
  auto With = [&](llvm::StringRef Old, llvm::StringRef New) {
    const size_t At = Json.find(Old.str());
    EXPECT_NE(At, std::string::npos);
    Shape S;
    return problem(
        Json.substr(0, At) + New.str() + Json.substr(At + Old.size()), S);
  };
  EXPECT_EQ(With("\"time_ns\":12", "\"time_ns\":-1"),
            "'time_ns' is not an integer from 0 to 4000000000000000");
  EXPECT_EQ(With("\"time_ns\":12", "\"other\":12"), "'time_ns' is missing");
  EXPECT_EQ(With("\"line\":7", "\"line\":4294967296"),
            "'line' is not an integer from 0 to 4294967295");
  EXPECT_EQ(With("\"fill\":\"red\"", "\"fill\":\"blue\""),
            "'fill' is none of red, green");
  EXPECT_EQ(With("0x000000000000001f", "1f"),
            "'id' is not an id (0x and hex digits)");
  EXPECT_EQ(With("\"big\":false", "\"big\":0"),
            "'big' is neither true nor false");
  EXPECT_EQ(With("\"new\"", "\"young\""), "'age' is neither new nor old");
  EXPECT_EQ(With("0.5", "-0.5"), "'part' is not a number from 0 on");
  EXPECT_EQ(With("{\"x\":-3}", "3"), "'middle' is not an object");
  EXPECT_EQ(With("[{\"x\":1}", "[1"), "'corners' is not an object");
  EXPECT_EQ(With("[4,5]", "[4,\"5\"]"),
            "'times_ns' has an element that is not an integer from 0 to "
            "4000000000000000");
  EXPECT_EQ(With("\"times_ns\":[4,5],", ""), "");
  EXPECT_EQ(With("\"big\":false,", ""), "");
}

TEST(Fields, DescribeTheFormat) {
  std::string Text;
  llvm::raw_string_ostream Out(Text);
  Fields::describe(Out, [](Fields &F) {
    Shape S;
    shapeFields(F, S);
  });
  const llvm::json::Value V = llvm::cantFail(llvm::json::parse(Text));
  const llvm::json::Object &Schema = *V.getAsObject();
  EXPECT_EQ(Schema.getString("title"), "autoprof-shape/1");
  EXPECT_EQ(Schema.getString("description"), "A shape.");
  const llvm::json::Object &Keys = *Schema.getObject("properties");
  auto Is = [&](llvm::StringRef Key, llvm::StringRef Expected) {
    EXPECT_EQ(*Keys.get(Key), llvm::cantFail(llvm::json::parse(Expected)))
        << Key.str();
  };
  Is("name", R"({"description": "its name", "type": "string"})");
  Is("note", R"({"type": ["string", "null"]})");
  Is("fill", R"({"enum": ["red", "green", null]})");
  Is("line", R"({"type": ["integer", "null"], "minimum": 0})");
  Is("time_ns", R"({"type": "integer", "minimum": 0, "x-unit": "ns"})");
  Is("part", R"({"type": "number", "minimum": 0, "maximum": 1})");
  Is("age", R"({"enum": ["new", "old"]})");
  Is("middle", R"({"type": ["object", "null"], "properties": {"x":
      {"description": "where", "type": "integer"}}, "required": ["x"]})");
  Is("corners", R"({"type": "array", "items": {"type": "object", "properties":
      {"x": {"description": "where", "type": "integer"}},
      "required": ["x"]}})");
  Is("times_ns", R"({"type": "array", "items":
      {"type": "integer", "minimum": 0, "x-unit": "ns"}})");
  Is("words", R"({"type": "object", "additionalProperties":
      {"type": "string"}})");
  EXPECT_FALSE(llvm::is_contained(*Schema.getArray("required"), "times_ns"));
  EXPECT_EQ(Schema.getArray("required")->size(), Keys.size() - 1);
}

} // namespace
