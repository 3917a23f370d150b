import assert from "node:assert/strict";
import { resolve } from "node:path";
import { PaperStack } from "./paper/paper-stack";
import { until } from "./until";

const tradewind = resolve(__dirname, "../../dev/tradewind.cjs");
/** Patches whose checksums are known, as clouds need them. */
const [olderPatch, newerPatch] = ["1.36.2", "1.36.3"];
const days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

describe("updates by themselves, with the real engine", function () {
    this.timeout(240_000);
    let stack: PaperStack;
    const older = { "tradewind:kubernetesVersion": olderPatch };

    const apply = async () => {
        const { exitCode, stdout, stderr } = await stack.program(tradewind, "updates", "--apply", "-o", "json");
        return { exitCode, stderr, ...(JSON.parse(stdout)[0] as { result?: string; note?: string; to?: string }) };
    };
    const version = () => /kubernetesVersion: (\S+)/.exec(stack.read("Pulumi.test.yaml"))?.[1];

    before(async () => {
        stack = await PaperStack.create("digitalocean", {
            ...older,
            "tradewind:domain": "example.com",
            "tradewind:region": "fra1",
            "tradewind:image": "170000001",
            "tradewind:sshKeys": ["42"],
            "tradewind:updateChannel": "patch",
            // Nothing runs that it could watch.
            "tradewind:upgradeGuard": { enabled: false },
            "tradewind:updateWindows": [],
        });
        const { exitCode, output } = await stack.operation("up");
        assert.equal(exitCode, 0, output);
    });
    after(() => stack?.remove());
    beforeEach(() => stack.configure({ ...older, "tradewind:updateWindows": [], "tradewind:metrics": true }));

    it("wait for a window", async () => {
        const day = days[(new Date().getUTCDay() + 3) % 7];
        stack.configure({ "tradewind:updateWindows": [`${day} 02:00-05:00`] });
        const { exitCode, result, note } = await apply();
        assert.deepEqual([exitCode, result, note], [0, "waits", "no window of updateWindows is open"]);
        assert.equal(version(), olderPatch);
    });

    it("are not applied together with a change that no one has applied yet", async () => {
        stack.configure({ "tradewind:metrics": false });
        const { exitCode, result, note } = await apply();
        assert.deepEqual([exitCode, result], [1, "failed"]);
        assert.match(note ?? "", /^the stack has other changes, which pulumi preview shows/);
        assert.equal(version(), olderPatch);
    });

    it("are not applied if a preview refuses them", async () => {
        stack.configure({ "tradewind:region": "nowhere" });
        const { exitCode, result, note } = await apply();
        stack.configure({ "tradewind:region": "fra1" });
        assert.deepEqual([exitCode, result], [1, "failed"]);
        assert.match(note ?? "", new RegExp(`^pulumi preview refuses ${newerPatch}: [^]*nowhere`));
        assert.equal(version(), olderPatch);
    });

    it("are written into the file once up has succeeded, and leave no changes", async () => {
        const { exitCode, result, stderr } = await apply();
        assert.deepEqual([exitCode, result, version()], [0, "applied", newerPatch], stderr);
        const none = await apply();
        assert.deepEqual([none.exitCode, none.result, none.to], [0, undefined, undefined]);
        const unchanged = await stack.operation("preview", "--expect-no-changes");
        assert.equal(unchanged.exitCode, 0, unchanged.output);
    });

    it("keep what someone changes in the file while up runs", async () => {
        const applying = apply();
        await until("up to have begun", async () => stack.isLocked());
        stack.write("Pulumi.test.yaml", `${stack.read("Pulumi.test.yaml")}# a comment\n`);
        const { result } = await applying;
        assert.deepEqual([result, version()], ["applied", newerPatch]);
        assert.match(stack.read("Pulumi.test.yaml"), /\n# a comment\n$/);
    });

    it("are left to a person if the file has something that depends on the version", async () => {
        const urls = [`https://mirror.test/${olderPatch}/kubelet`];
        stack.configure({ "tradewind:downloads": { kubelet: { urls } } });
        const { exitCode, result, note } = await apply();
        stack.configure({ "tradewind:downloads": {} });
        assert.deepEqual([exitCode, result, version()], [1, "failed", olderPatch]);
        assert.match(note ?? "", /downloads\.kubelet\.urls must then be changed to 1\.36\.3 manually/);
    });

    // As a call that was killed leaves it: resources have the new version, and the file has not.
    it("keep the earlier version in the file if up fails, and go on with the next call", async () => {
        stack.leaveLock();
        const failed = await apply();
        assert.deepEqual([failed.exitCode, failed.result, version()], [1, "failed", olderPatch]);
        assert.match(failed.stderr, /the stack is currently locked/);
        await stack.run("cancel", "--yes");
        const again = await apply();
        assert.deepEqual([again.exitCode, again.result, version()], [0, "applied", newerPatch], again.stderr);
    });
});
