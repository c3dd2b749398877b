// What generated tests use of GoogleTest, for machines without it, and a main that runs them.
#pragma once
#include <functional>
#include <iostream>
#include <sstream>
#include <vector>

namespace testing {

struct Test {
    virtual ~Test() = default;
    virtual void TearDown() {}
    virtual void body() = 0;
    void run()
    {
        body();
        TearDown();
    }
};

inline std::vector<std::function<void()>> &all()
{
    static std::vector<std::function<void()>> found;
    return found;
}

inline int &failures()
{
    static int count = 0;
    return count;
}

struct Result {
    bool good;
    std::ostringstream said;
    ~Result()
    {
        if (!good) {
            ++failures();
            std::cout << said.str() << "\n";
        }
    }
    template <typename T> Result &operator<<(const T &part)
    {
        said << part;
        return *this;
    }
};

inline int runAll()
{
    for (auto &one : all()) { one(); }
    std::cout << all().size() << " tests, " << failures() << " failed\n";
    return failures() != 0;
}

} // namespace testing

#define EXPECT_EQ(a, b) ::testing::Result{(a) == (b), {}} << __LINE__ << ": found " << (a) << ": "
#define ASSERT_EQ(a, b) EXPECT_EQ(a, b)
#define TEST_F(suite, name)                                                                            \
    struct suite##_##name : suite {                                                                    \
        void body() override;                                                                          \
        static void all()                                                                              \
        {                                                                                              \
            SetUpTestSuite();                                                                          \
            suite##_##name().run();                                                                    \
        }                                                                                              \
        static bool known;                                                                             \
    };                                                                                                 \
    bool suite##_##name::known = (::testing::all().push_back(suite##_##name::all), true);              \
    void suite##_##name::body()

int main() { return ::testing::runAll(); }
