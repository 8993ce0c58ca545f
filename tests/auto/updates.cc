// Updates behind loops that try: where rounds are cut they have another name than in probes, in which threads wait.
#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex a, b;
static std::atomic<int> n[4];

static void body(int i)
{
        for (int k = 0; k < 3; k++) {
                n[i]++;
                std::scoped_lock held(i & 1 ? b : a, i & 1 ? a : b);
                n[i]++;
        }
        if (i == 3 && n[0] + n[1] > 100)
                n[3]++;
}

int main()
{
        std::vector<std::thread> all;

        for (int i = 0; i < 4; i++)
                all.emplace_back(body, i);
        for (auto &t : all)
                t.join();
        return 0;
}
