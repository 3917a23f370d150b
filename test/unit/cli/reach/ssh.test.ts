import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isAnswer, type SshTarget, sshController } from "../../../../cli/reach/ssh";
import { bringFile } from "../../../../cli/recover/begin";
import { snapshotsOn } from "../../../../cli/snapshot/on-controller";
import { FakeSsh } from "./fake-ssh";

describe("a controller reached over SSH", () => {
    let fake: FakeSsh;
    const target: SshTarget = { name: "c-controller-0", address: "192.0.2.11", user: "core" };
    const controller = (change: Partial<SshTarget> = {}) => sshController({ ...target, ...change });

    beforeEach(() => {
        fake = new FakeSsh();
    });
    afterEach(() => fake.remove());

    it("runs a script with arguments and input, with any contents", async () => {
        const script = `printf '%s|' "$@"; cat; echo "it's \\$HOME"`;
        const args = ["a b", "it's", "$(touch x)", "", "*"];
        const said = await controller().run(script, args, Buffer.from("input\n"));
        assert.equal(said, "a b|it's|$(touch x)||*|input\nit's $HOME\n");
    });

    it("uses no prompts and only known hosts, and becomes root with sudo", async () => {
        await controller().run("true");
        const { arguments: all } = fake;
        for (const option of ["BatchMode=yes", "StrictHostKeyChecking=yes"]) {
            assert.equal(all[all.indexOf(option) - 1], "-o");
        }
        assert.deepEqual(all.slice(all.indexOf("-l"), -1), ["-l", "core", "--", "192.0.2.11"]);
        assert.match(all.at(-1)!, /^'?sudo'? -n 'sh' '-c' 'true'/);
        assert.ok(!all.includes("-i"));
    });

    it("needs no sudo as root, and uses only the given key", async () => {
        await controller({ user: "root", key: "/keys/id" }).run("true");
        const { arguments: all } = fake;
        assert.equal(all[all.indexOf("-i") + 1], "/keys/id");
        assert.ok(all.includes("IdentitiesOnly=yes"));
        assert.match(all.at(-1)!, /^'sh' '-c' 'true'/);
    });

    it("receives files and sends snapshots like a local one", async () => {
        const path = join(fake.root, "a/b/snapshot.db");
        await bringFile(controller(), path, Buffer.from([0, 255, 10, 13]));
        assert.deepEqual([...readFileSync(path)], [0, 255, 10, 13]);
        const directory = join(fake.root, "snapshots");
        mkdirSync(directory);
        writeFileSync(
            join(directory, "c-1.json"),
            JSON.stringify({ name: "c-1", time: "2026-11-22T00:00:00Z", sha256: "5" }),
        );
        writeFileSync(join(directory, "c-1.db"), "data");
        assert.deepEqual(
            (await snapshotsOn(controller(), directory)).map(({ name }) => name),
            ["c-1"],
        );
    });

    it("reports the error output of a failed script", async () => {
        await assert.rejects(controller().run("echo too bad >&2; exit 3"), {
            message: "c-controller-0 (ssh core@192.0.2.11): too bad",
        });
    });

    const failures: [string, RegExp][] = [
        [
            "Host key verification failed.\n",
            /its host key is unknown: compare the output of ssh-keyscan 192\.0\.2\.11 with/,
        ],
        ["core@192.0.2.11: Permission denied (publickey).\n", /set the user with --ssh-user and its key/],
        ["sudo: a password is required\n", /core must be root or have passwordless sudo/],
        ["ssh: connect to host 192.0.2.11 port 22: Connection timed out\n", /see docs\/recovery\.md/],
    ];
    for (const [said, hint] of failures) {
        it(`suggests a fix for: ${said.trim()}`, async () => {
            fake.fail(said);
            await assert.rejects(controller().run("true"), hint);
        });
    }

    it("is on if it refuses the user, or if a script fails there, but not if another machine has its address", async () => {
        const isOn = async () =>
            isAnswer(
                await controller()
                    .run("exit 3")
                    .catch((error) => error),
            );
        assert.equal(await isOn(), true);
        const said: [string, boolean][] = [
            ["core@192.0.2.11: Permission denied (publickey).\n", true],
            ["Host key verification failed.\n", false],
            ["ssh: connect to host 192.0.2.11 port 22: Connection timed out\n", false],
        ];
        for (const [text, expected] of said) {
            fake.fail(text);
            assert.equal(await isOn(), expected, text);
        }
        assert.equal(isAnswer(new Error("x")), false);
    });

    it("names output that is too long, not a timeout", async () => {
        const endless = controller().run("yes tradewind");
        await assert.rejects(endless, {
            message: "c-controller-0 (ssh core@192.0.2.11): it printed more than 256 MiB",
        });
    });

    it("times out", async () => {
        fake.hang();
        await assert.rejects(controller({ timeout: 300 }).run("true"), /no answer within 0\.3 s/);
    });
});
