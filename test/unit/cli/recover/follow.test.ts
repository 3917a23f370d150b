import assert from "node:assert/strict";
import type { Controller } from "../../../../cli/reach/controller";
import { followRecovery, isStep, parseObservation } from "../../../../cli/recover/follow";

/** Answers each call with the next text, or throws the next error. */
function controllerWith(...answers: (string | Error)[]): Controller & { readonly asked: (readonly string[])[] } {
    const asked: (readonly string[])[] = [];
    return {
        name: "c-controller-0",
        asked,
        run: async (_, args = []) => {
            asked.push(args);
            const answer = answers.shift() ?? "at work";
            if (answer instanceof Error) throw answer;
            return answer;
        },
    };
}

const follow = (controller: Controller, lines: string[], change = {}) =>
    followRecovery(controller, { untilHeld: false, timeout: 30, print: (line) => lines.push(line), ...change });

describe("following a recovery", () => {
    it("prints each step once, through a reboot of the machine, and ends with it", async () => {
        const lines: string[] = [];
        const controller = controllerWith(
            "at work\npulling docker.io/library/node\nverify-assets: 3 static pods (0.1s)\n-- cursor: one",
            new Error("container is not running"),
            "at work\n",
            "over\nclean-up: removed all (0.2s)\n-- cursor: two",
        );
        assert.equal(await follow(controller, lines), "over");
        assert.deepEqual(lines, ["verify-assets: 3 static pods (0.1s)", "clean-up: removed all (0.2s)"]);
        assert.deepEqual(controller.asked, [[], ...Array(3).fill(["--after-cursor", "one"])]);
    });

    it("ends when held only if that was requested", async () => {
        assert.equal(await follow(controllerWith("held"), [], { untilHeld: true }), "held");
        assert.equal(await follow(controllerWith("held", "over"), []), "over");
    });

    it("fails if a step fails repeatedly", async () => {
        const failed = "at work\nwait-for-api: failed: waited 600 s for the API (600.1s)";
        await assert.rejects(
            follow(controllerWith(failed, failed, failed), []),
            /^Error: wait-for-api: failed: .*\nfailed 3 times; c-controller-0 keeps retrying$/,
        );
    });

    it("reports the last line on timeout", async () => {
        await assert.rejects(
            follow(controllerWith("at work\nwait-for-api: waiting for it (10.0s)"), [], { timeout: 0.1 }),
            /^Error: not done within 0.1 s; last: wait-for-api: waiting for it \(10.0s\)\n/,
        );
    });
});

describe("the state of a recovery", () => {
    it("contains its progress, new lines, and the next cursor", () => {
        assert.deepEqual(parseObservation("held\na\nb\n-- cursor: s=1\n"), {
            state: "held",
            lines: ["a", "b"],
            cursor: "s=1",
        });
        assert.deepEqual(parseObservation("at work\n"), { state: "at work", lines: [] });
    });

    it("distinguishes lines of agents from those of the programs that start them", () => {
        assert.ok(isStep("fetch-snapshot: 123 bytes: revision 5, 7 keys (0.2s)"));
        assert.ok(!isStep("docker.io/library/node:22: resolved"));
        assert.ok(!isStep("Started bootstrap.service - Start a temporary control plane."));
    });
});
