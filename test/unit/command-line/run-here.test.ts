import assert from "node:assert/strict";
import { runHere } from "../../../command-line/run-here";

describe("a program that runs here", () => {
    it("passes on its lines on request, and its exit code", async () => {
        const lines: string[] = [];
        const exitCode = await runHere("sh", ["-c", "echo one; echo two; echo three >&2; exit 3"], {
            print: (line) => lines.push(line),
        });
        assert.equal(exitCode, 3);
        assert.deepEqual(lines.sort(), ["one", "three", "two"]);
    });

    it("has the requested niceness, including its children", async () => {
        const lines: string[] = [];
        const print = (line: string) => lines.push(line);
        await runHere("sh", ["-c", "sleep 0.1; sh -c nice"], { niceness: 7, print });
        assert.deepEqual(lines, ["7"]);
    });

    it("is stopped at its deadline", async () => {
        const exitCode = await runHere("sleep", ["60"], { deadline: Date.now() + 50 });
        assert.equal(exitCode, 128 + 15);
    });
});
