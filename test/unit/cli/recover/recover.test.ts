import assert from "node:assert/strict";
import type { Controller } from "../../../../cli/reach/controller";
import { plain, recover } from "../../../../cli/recover/recover";
import { temporaryPod } from "../../../../cluster/manifests/control-plane";
import { resolveCluster } from "../../../../cluster/resolve";
import { fakeCredentials } from "../../components/in-cluster/fixture";

describe("a plain temporary control plane", () => {
    const cluster = resolveCluster({
        name: "c",
        components: {
            kubeApiserver: { "no-such-flag": "1" },
            kubeScheduler: { v: "9" },
            etcd: { "log-level": "debug" },
        },
    });
    const commandOf = (of: typeof cluster) => JSON.stringify(temporaryPod(of, "kube-apiserver").spec.containers);

    it("runs without the stack's extra arguments", () => {
        assert.match(commandOf(cluster), /--no-such-flag/);
        assert.doesNotMatch(commandOf(plain(cluster)), /--no-such-flag/);
    });

    it("keeps those of etcd and the kubelet", () => {
        assert.deepEqual(plain(cluster).extraArgs.etcd, { "log-level": "debug" });
    });
});

describe("a recovery of several controllers from a snapshot", () => {
    const options = { name: "c", controllers: { count: 3 } } as const;
    const cluster = resolveCluster(options);
    const [first = "", second = "", third = ""] = cluster.controllers.names;
    let done: string[];
    let said: string[];

    /** Answers queries for facts, records other commands, and fails when the recovery begins. */
    const machine = (name: string, answers: { hasData?: boolean; isOff?: boolean } = {}): Controller => ({
        name,
        run: async (script) => {
            if (answers.isOff) throw new Error(`${name} is off`);
            if (script.includes("is joined")) {
                const data = answers.hasData ? "yes" : "no";
                return `joined yes\ndata ${data}\npod ${data}\nready ${data}\nover yes\nsnapshot c-1\n`;
            }
            if (script.includes("journalctl")) return "over";
            done.push(script.includes("incoming") ? `${name} begins` : `${name} is reset`);
            if (script.includes("incoming")) throw new Error("far enough");
            return "";
        },
    });
    const run = (others: Controller[], isResettingOthers: boolean) =>
        recover({
            ...{ cluster, controller: machine(first, { hasData: true }), others, from: "snapshot", isResettingOthers },
            record: {
                options,
                machines: Object.fromEntries(cluster.controllers.names.map((name) => [name, "10.0.0.1"])),
                credentials: fakeCredentials(cluster),
            },
            ...{ isHeld: false, isPlain: false, timeout: 1, say: (line) => said.push(line) },
        });

    beforeEach(() => {
        [done, said] = [[], []];
    });

    it("does not begin while others have data, and names the option to move it aside", async () => {
        const others = [machine(second, { hasData: true }), machine(third, { hasData: true })];
        await assert.rejects(run(others, false), {
            message:
                "etcd on c-controller-1 and c-controller-2 still has data, which must be moved aside before c-controller-0 is " +
                "restored from a snapshot: --reset-others does that, and these controllers then rejoin",
        });
        assert.deepEqual(done, []);
    });

    it("moves the others' data aside before it begins, if requested", async () => {
        await assert.rejects(run([machine(second, { hasData: true }), machine(third)], true), /far enough/);
        assert.deepEqual(done, ["c-controller-1 is reset", "c-controller-0 begins"]);
    });

    it("warns about controllers that do not answer, as they may return with old data", async () => {
        await assert.rejects(run([machine(second, { isOff: true })], false), /far enough/);
        assert.match(
            said.join("\n"),
            /c-controller-1 does not answer: recreate it, or keep it off until you have moved .* away/,
        );
    });
});
