import assert from "node:assert/strict";
import { getPriority } from "node:os";
import { runHere } from "../../../cli/run-here";

describe("a program that runs here", () => {
    it("hands over its lines when asked to, and its exit code", async () => {
        const lines: string[] = [];
        const exitCode = await runHere("sh", ["-c", "echo one; echo two; echo three >&2; exit 3"], {
            print: (line) => lines.push(line),
        });
        assert.equal(exitCode, 3);
        assert.deepEqual(lines.sort(), ["one", "three", "two"]);
    });

    it("gives way to others when it is patient, and so does what it starts", async () => {
        const priorities = async (isPatient: boolean) => {
            const lines: string[] = [];
            const program = "sleep 0.3; sh -c 'cut -d\\  -f19 /proc/self/stat'";
            await runHere("sh", ["-c", program], { isPatient, print: (line) => lines.push(line) });
            return Number(lines[0]);
        };
        assert.equal(await priorities(true), 19);
        assert.equal(await priorities(false), getPriority());
    });

    it("is ended at its deadline", async () => {
        const exitCode = await runHere("sleep", ["60"], { deadline: Date.now() + 50 });
        assert.equal(exitCode, 128 + 15);
    });
});
