import assert from "node:assert/strict";
import { NoAccess } from "../../../../agents/clean-up/leftover";
import { choiceOf, type Sweep, sweep } from "../../../../agents/clean-up/sweep";

/** A cloud that deletes each resource on the second request and refuses the first one. */
function stubborn(names: readonly string[]) {
    const there = new Map(names.map((name) => [name, 0]));
    const find = async () =>
        [...there.keys()].map((words) => ({
            words,
            isVolume: words.startsWith("volume"),
            remove: async () => {
                const asked = there.get(words)! + 1;
                there.set(words, asked);
                if (asked === 1) throw new Error("DependencyViolation: it has a dependent object");
                there.delete(words);
            },
        }));
    return { there, access: async () => ({ find }) };
}

const run = async (more: Pick<Sweep, "access"> & Partial<Sweep>) => {
    const lines: string[] = [];
    await sweep({ print: (line) => lines.push(line), timeoutSeconds: 5, findByHand: ["look there"], ...more });
    return lines;
};

describe("a dead cluster's cloud resources", () => {
    it("are deleted, with a retry if the cloud refuses at first", async () => {
        const { there, access } = stubborn(["load balancer a", "security group b"]);
        const lines = await run({ access });
        assert.equal(there.size, 0);
        assert.deepEqual(lines, [
            "deleting load balancer a",
            "deleting security group b",
            "the cluster has no other resources left in its cloud",
        ]);
    });

    it("all stay without a decision about its volumes", async () => {
        const { there, access } = stubborn(["load balancer a", "volume v"]);
        await assert.rejects(
            run({ access }),
            /Nothing has been deleted yet:\n +volume v\nDestroy again with TRADEWIND_LEFTOVERS=/,
        );
        assert.deepEqual([...there.values()], [0, 0]);
    });

    it("are reported on timeout with the cloud's error and the next steps", async () => {
        const { access } = stubborn(["load balancer a"]);
        await assert.rejects(run({ access, timeoutSeconds: 0 }), (error: Error) => {
            assert.match(error.message, /last seen: load balancer a \(DependencyViolation: /);
            assert.match(error.message, /\n +look there\n.*TRADEWIND_LEFTOVERS=leave/);
            return true;
        });
    });

    it("are still deleted if the cloud fails once", async () => {
        const { there, access } = stubborn(["load balancer a"]);
        const { find } = await access();
        let count = 0;
        const failing = () => (++count === 2 ? Promise.reject(new Error("no answer in time")) : find());
        await run({ access: async () => ({ find: failing }) });
        assert.equal(there.size, 0);
    });

    it("are not searched without access, which is an error with a fix", async () => {
        const access = () => Promise.reject(new NoAccess("no token was found: set IT"));
        await assert.rejects(
            run({ access }),
            /cannot search the cloud for what it left:\nno token was found: set IT\n[\s\S]*look there\n.*=leave/,
        );
    });

    it("depend on a variable whose other values are rejected", () => {
        assert.equal(choiceOf({}), undefined);
        assert.equal(choiceOf({ TRADEWIND_LEFTOVERS: "" }), undefined);
        assert.equal(choiceOf({ TRADEWIND_LEFTOVERS: "keep-volumes" }), "keep-volumes");
        const refusal = "TRADEWIND_LEFTOVERS must be delete-volumes, keep-volumes, leave (got yes)";
        assert.throws(() => choiceOf({ TRADEWIND_LEFTOVERS: "yes" }), { message: refusal });
    });
});
