// HarnessWriter: the C text of one harness: objects and how they come to be, arguments, threads.
//
// Threading: pure; one harness, one writer.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/survey/life_names.h"
#include "analysis/survey/survey.h"
#include "server/source/harness_hooks.h"

namespace heddle {

/// Pointers to new objects, or numbers of any content, in an array that a made-up pointer leads to.
inline constexpr unsigned kElements = 4;

/// How objects of a record come to be and go, by the functions of the file.
struct ObjectLife {
  const SurveyFunction* create = nullptr;   // returns one, or gives it to a pointer
  const SurveyFunction* init = nullptr;     // is given the memory
  const SurveyFunction* destroy = nullptr;  // null: none is known
};

/// Whether the function gives a reference back, and takes down with the last one, by its name or its text.
bool givesBack(const SurveyFunction& function);
/// Whether the function takes down, by its name or by what it does: it destroys what threads synchronize by
/// in the object that it is given, or waits for a thread to end and destroys such things anywhere.
bool takesDown(const SurveyFunction& function);
/// It is what begins or ends objects of its type, though it is not named so: "server_start", "server_stop".
bool beginsOrEndsStarted(const Survey& survey, const SurveyFunction& function);

/// Whether the function frees the object that it works on, whatever its name.
bool consumesObject(const SurveyFunction& function);

/// Finds these functions by their names and types: those of the file, else of its headers, else of other
/// files. kNoRecord: none.
ObjectLife lifeOf(const Survey& survey, uint32_t record);
/// Once, to an object of the record.
bool isPointerTo(const SurveyType& type, uint32_t record);

/// The record of another object that what sets objects of `record` up is given, where the file has functions
/// that set up both; kNoRecord: none.
uint32_t madeWith(const Survey& survey, uint32_t record);

/// A function without parameters that sets the file's own variables up; null: there is none.
const SurveyFunction* globalMaker(const Survey& survey);
/// The function, or what it calls, starts threads of the file. Null: no.
bool startsThreads(const Survey& survey, const SurveyFunction* function);
/// Its call, as a statement; empty: there is none.
std::string globalSetUp(const Survey& survey);

/// The name of a va_list in the text of a harness.
inline constexpr const char* kGivenArguments = "heddle_arguments";

class HarnessWriter {
 public:
  /// `isAnyState`: no function sets objects up whose fields are known; they may have any content.
  explicit HarnessWriter(const Survey& survey, bool isAnyState = false)
      : survey_(survey),
        hooks_(survey, globals, assumed),
        isAnyState_(isAnyState),
        isSharedAtOnce_(startsThreads(survey, globalMaker(survey))) {}
  HarnessWriter(const HarnessWriter&) = delete;
  HarnessWriter& operator=(const HarnessWriter&) = delete;

  /// What the function, with its callees, uses of made-up objects is there. Before all else.
  void willCall(const SurveyFunction& function);
  /// An expression for a pointer to the harness' object of the record, which is set up once; nothing: it
  /// cannot be (`problem`).
  std::optional<std::string> object(uint32_t record, unsigned depth = 0);
  /// "f(a, b)"; nothing: some argument cannot be made (`problem`).
  std::optional<std::string> call(const SurveyFunction& function);
  /// As `call`, with any numbers and texts, and with any content where a size says how much there is. Null
  /// pointers in global variables get objects, too. `function`: with its callees.
  std::optional<std::string> callAlone(const SurveyFunction& function);
  /// Statements that give null pointers in global variables objects, once for each. `function`: with its
  /// callees, as it is called.
  std::string fillGlobals(const SurveyFunction& function);
  /// The same for the functions that set objects up, which run behind it.
  std::string fillGlobalsOfSetUp();
  /// The object of the record is memory that nothing has set up: what `callAlone` calls does so.
  void giveMemory(uint32_t record);
  /// The object of the record is a list that calls change, null first: the variable's name.
  std::string giveList(uint32_t record);
  /// From now on, `call` and `object` use further objects, but for those that were there at shareObjects().
  void useOtherObjects();
  void shareObjects() { shared_ = now_.names; }
  /// Functions that made-up objects have and of which nothing is known, by their names in reports.
  const std::set<std::string>& unknownHooks() const { return hooks_.unknown(); }
  /// Declares what gives any value of the type (`verifierInput`).
  void declareInput(const std::string& input);
  /// Statements that call the functions that destroy the objects.
  std::string takeDown();
  /// The statement of a call, in a function with arguments of its own where the call has a va_list.
  std::string withArguments(const std::string& call);

  std::string globals;              // declarations and helper functions, in order
  std::string setUp;                // statements of the entry function
  std::string values;               // the same, which give the arguments of callAlone any values
  std::vector<std::string> passed;  // pointers to objects, and to pointers, that callAlone gives
  std::string problem;
  std::vector<std::string> assumed;
  bool isOdd = false;               // some object has any content
  std::set<std::string> zeroed;     // pointer members of objects that only a function given them sets up
  bool givesArguments = false;      // a call has a va_list
  bool givesNull = false;           // callAlone gives null, too, where the file shows that it may
  bool mixesObjects = false;        // an object was given to what sets up another one
  std::set<std::string> called;     // functions that set up and take down
  std::set<std::string> elsewhere;  // of these, the ones of other files and of headers

 private:
  std::optional<std::string> argument(const SurveyType& type, const std::string& name, unsigned depth);
  std::optional<std::string> arguments(const SurveyFunction& function, unsigned depth);
  /// A function for a parameter of that name: one that frees, by the name, or one that does nothing.
  std::string callback(const SurveyType& type, const std::string& name);
  std::string givenArguments(const std::string& name);
  /// By its name, the function is given what it has allocated itself, and `made` is the harness' own memory.
  static bool isOfAllocator(const SurveyFunction& function, const std::string& made);
  /// New memory for what a `void *` hands over; empty: nothing says what it is.
  std::string newItem(const SurveyType& type);
  std::optional<std::string> anyArgument(const SurveyType& type, const std::string& name);
  /// Of a function that is given a list and makes another one: where that one goes; nothing: it is no such.
  std::optional<std::string> otherList(const SurveyFunction& function, const SurveyType& type);
  std::string anyNumber(const SurveyType& type, const std::string& name);
  /// Of a function that only its file calls: an array as large as the smallest that it is given there.
  std::optional<std::string> arrayAsPassed(const SurveyFunction& function, size_t parameter);
  /// The size of a buffer, which may be larger than such arrays.
  std::pair<std::string, SurveyType> besideArrays(const SurveyFunction& function,
                                                  std::pair<std::string, SurveyType> size) const;
  std::string anyText(const SurveyType& type, const std::string& name);
  /// `made`, an expression for the parameter, or null where that may be given.
  std::string orNull(const SurveyFunction& function, size_t parameter, std::string made);
  /// A pointer to a pointer to any text.
  std::string placeInText(const SurveyType& type, const std::string& name);
  /// Memory of its own for any content: an expression for where it begins, and a variable that says how many
  /// elements there are.
  struct Buffer {
    std::string begin, length, counts;  // counts: "0, 1 or 24"
  };
  Buffer anyBuffer(const SurveyType& type, int64_t most, bool mayBeEmpty);
  /// A pointer to where somebody is in a text.
  static bool isPlaceInText(const SurveyType& type);
  /// The parameter and the one behind it are the two ends of a text, by their types and the latter's name.
  static bool isBegin(const SurveyFunction& function, size_t parameter);
  /// The two arguments of such parameters.
  std::string beginAndEnd(const SurveyFunction& function, size_t parameter);
  /// Two arguments: elements, and how many there are.
  std::string anyElements(const SurveyType& type, const std::string& name,
                          const std::pair<std::string, SurveyType>& size);
  /// Two arguments: a list of pointers, and any number of them. Nothing: its objects are not known.
  std::optional<std::string> anyList(const SurveyType& type, const std::string& name,
                                     const std::pair<std::string, SurveyType>& size);
  std::string fill(const std::string& array, unsigned count, const std::string& input);
  /// Of a function that sets up an object of the record.
  std::optional<std::string> argumentsOfMaker(const SurveyFunction& maker, uint32_t record, unsigned depth);
  void noteCalled(const SurveyFunction& function);
  std::string variable(const std::string& spelled, const std::string& hint);
  bool isLink(const SurveyType& type) const;
  /// A call uses the pointer, and nothing in the file compares it with null.
  bool isTakenAsSet(const std::string& data) const;
  /// An expression for what a pointer of the type may lead to; empty: it cannot be made.
  std::string anyPointer(const SurveyType& type, const std::string& depth);
  /// An expression for new memory of a type whose members the file does not know.
  std::string opaqueMemory();
  /// The same for a member: of one without a type, what the functions that are called take it for.
  std::string anyMember(const SurveyField& field, const std::string& depth);
  /// The name of a function that makes a list: `element` has `depth`, and is null somewhere where the data's
  /// elements are compared with null. `isTable`: it has one more element, in front.
  std::string listMaker(const std::string& element, const std::string& data, uint32_t record, bool isTable);
  /// What they take it for; null: nothing known.
  const SurveyType* takenAs(const std::string& data) const;
  void assumeTaken(const std::string& data, const SurveyType& type);
  /// Statements that make the head of a list at `place` an empty one, which leads to itself, or the links of
  /// a ring, which lead to the object `whole` of `record` that they lie in; empty: the type is none of both.
  std::string emptyRing(const SurveyType& type, const std::string& place, uint32_t record,
                        const std::string& whole);
  std::string anyObject(uint32_t record);
  /// Statements that set the members of `object`, but for numbers.
  std::string members(uint32_t record);
  /// As `members`, with numbers, where each member gets its content when it is first read.
  std::string lazyMembers(uint32_t record, const std::string& at, unsigned nesting);
  /// A statement: what is at `place` is set by `content`, a statement with `place` and `depth`, when it is
  /// first read; ways that never read it need not tell it apart. Only in a harness of one thread.
  std::string lazily(const std::string& place, const std::string& content, const std::string& depth);
  std::string anyNumberAt(const std::string& place, const std::string& input);
  static std::string setUpOf(const std::string& lock, const std::string& place);
  std::string anyContent(uint32_t record, const std::string& at);
  std::string setHooks(uint32_t record, const std::string& object, bool isDescription = false);
  /// Those that the function reaches, and that have functions.
  void defineVariables(const SurveyFunction& function);
  /// The address of the harness' one table of functions of the record.
  std::string table(uint32_t record);
  std::string description(uint32_t record, const std::string& parameter);

  const Survey& survey_;
  HarnessHooks hooks_;
  struct Objects {
    std::map<uint32_t, std::string> names;  // by record
    std::vector<uint32_t> order;            // in which they were set up
  };
  std::string takeDownNow();

  Objects now_;
  std::vector<Objects> earlier_;
  std::map<uint32_t, std::string> shared_;      // names of objects, by record
  bool hasRing_ = false;                        // some object that is made up has the head of a list
  std::set<uint32_t> madeUp_;                   // records whose object no function has set up
  std::set<uint32_t> making_;                   // records of objects that are being set up
  std::set<uint32_t> makers_;                   // records for which there is a function that makes any object
  std::map<std::string, std::string> fillers_;  // functions, by their content
  std::set<std::string> inputs_;                // declared
  std::set<std::string> helpers_;               // functions that are defined
  std::set<std::string> used_;                  // data that the calls access
  std::vector<std::string> users_;              // functions that are called, the nearest first
  std::set<std::string> filled_;                // pointers in global variables
  const bool isAnyState_;
  const bool isSharedAtOnce_;  // threads that the global set-up starts see what is written behind it
  bool freesItems_ = false;    // a function that it passes frees what it is given
  std::set<uint32_t> lists_;   // records of which the harness has a list
  bool isAlone_ = false;       // one call is made, with any arguments
  bool writesTexts_ = false;   // into as much room as it is told
  std::map<uint32_t, std::string> tables_;
  unsigned next_ = 0;
};

}  // namespace heddle
