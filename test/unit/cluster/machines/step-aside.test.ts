import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { stepAside } from "../../../../cluster/machines/step-aside";
import { diffable } from "../../../../ignition";
import { withCandidates } from "../../components/in-cluster/fixture";
import { assertShell } from "../../components/in-cluster/shell";

const texts = diffable(stepAside(withCandidates(), "c-controller-0"));
const script = texts["/opt/tradewind/bin/step-aside"]!.replace(/^mode.*\n/, "");

const own = "https://127.0.0.1:6443";
const api = "https://api.c:6443";
const controller = '200 {"metadata": {"labels": {"role": ""}, "annotations": {"tradewind.dev/other": "true"}}}';
const leaving = '200 {"metadata": {"annotations": {"tradewind.dev/leaving": "true"}}}';
const takenOver = '200 {"metadata": {"annotations": {"tradewind.dev/leaving": "taken-over"}}}';
const missing = '404 {"kind": "Status", "reason": "NotFound"}';

interface Answers {
    /** Of the load balancer, about its readiness and the Node. @default - it does not answer */
    readonly ready?: string;
    readonly node?: string;
    /** Of this machine's own API. @default - it does not answer */
    readonly ownNode?: string;
}

interface Machine extends Answers {
    readonly mode?: "boot" | "watch";
    /** @default - it has one, with data */
    readonly lacksMember?: boolean;
    readonly isRunning?: boolean;
    readonly isMarked?: boolean;
    /** Its bootstrap, or a recovery, is not over. */
    readonly isStarting?: boolean;
    /** Answers after so many pauses. */
    readonly later?: Answers & { readonly pauses: number };
}

interface Outcome {
    readonly steppedAside: boolean;
    readonly usesOwnApi: boolean;
    readonly pauses: number;
    /** Commands to systemd and signals. */
    readonly commands: readonly string[];
    readonly isMarked: boolean;
}

/** Runs the script with other programs in place of those that it calls, until it has paused four times. */
function run(machine: Machine): Outcome {
    const root = mkdtempSync(join(tmpdir(), "tradewind-aside-"));
    const at = (path: string) => join(root, path);
    const put = (path: string, text: string, mode = 0o600) => {
        mkdirSync(dirname(at(path)), { recursive: true });
        writeFileSync(at(path), text, { mode });
    };
    const program = (name: string, text: string) => put(`programs/${name}`, `#!/bin/sh\n${text}\n`, 0o755);
    const answer = (name: string, { ready = "000", node = "000", ownNode = "000" }: Answers) => {
        put(`answers/${name}/ready`, ready);
        put(`answers/${name}/node`, node);
        put(`answers/${name}/own`, ownNode);
    };
    try {
        put("pauses", "");
        put("commands", "");
        put("run/x", "");
        if (!machine.lacksMember) put("etc/kubernetes/manifests/etcd.json", "{}");
        put("etc/kubernetes/manifests/checkpoint-kube-system.kube-apiserver.json", "{}");
        put("etc/kubernetes/checkpoints/kube-system/kube-apiserver/x", "key");
        put("etc/kubernetes/bootstrap-kubeconfig", JSON.stringify({ server: own }));
        put("var/lib/kubelet/kubeconfig", JSON.stringify({ server: own }));
        if (!machine.isStarting) put("var/lib/tradewind/bootstrap/pivoted", "{}");
        put("var/lib/etcd/member-data/member/wal", "log");
        if (machine.isMarked) put("etc/kubernetes/taken-over", "c-default-0\n");
        answer("now", machine);
        answer("later", machine.later ?? machine);
        program("sleep", `echo >>${at("pauses")}; [ "$(wc -l <${at("pauses")})" -le 4 ] || kill -9 $PPID`);
        program("pgrep", machine.isRunning ? "exit 0" : "exit 1");
        for (const name of ["pkill", "systemctl"]) program(name, `echo "${name} $*" >>${at("commands")}`);
        program(
            "curl",
            `for word; do [ "$before" = -o ] && file=$word; before=$word; done
            when=now; [ "$(wc -l <${at("pauses")})" -lt ${machine.later?.pauses ?? 99} ] || when=later
            case "$word" in
            ${api}/readyz) name=ready ;;
            ${api}/api/v1/nodes/c-controller-0) name=node ;;
            ${own}/api/v1/nodes/c-controller-0) name=own ;;
            *) exit 9 ;;
            esac
            line=$(cat ${at("answers")}/$when/$name)
            echo "\${line#* }" >"$file"
            printf %s "\${line%% *}"`,
        );
        const text = script.replaceAll(/(?<![\w.])\/(etc\/kubernetes|var\/lib|opt|run)\//g, `${root}/$1/`);
        const env = { PATH: [at("programs"), process.env.PATH].join(delimiter) };
        const args = ["-c", text, "step-aside", machine.mode ?? "boot", "c-controller-0", api, own];
        try {
            execFileSync("sh", args, { env, stdio: ["ignore", "ignore", "inherit"] });
        } catch (error) {
            assert.equal((error as { signal?: string }).signal, "SIGKILL");
        }
        const [data = ""] = readdirSync(at("var/lib/etcd"));
        const kept = /^member-data\.before-\d{8}T\d{6}$/.test(data);
        const left = ["manifests", "checkpoints"].flatMap((name) => readdirSync(at(`etc/kubernetes/${name}`)));
        if (kept) assert.deepEqual(left, []);
        else assert.ok(left.length >= 2 && data === "member-data");
        return {
            steppedAside: kept,
            usesOwnApi: readFileSync(at("var/lib/kubelet/kubeconfig"), "utf8").includes(own),
            pauses: readFileSync(at("pauses"), "utf8").length,
            commands: readFileSync(at("commands"), "utf8").split("\n").filter(Boolean),
            isMarked: existsSync(at("etc/kubernetes/taken-over")),
        };
    } finally {
        rmSync(root, { recursive: true });
    }
}

describe("a controller that boots", function () {
    this.timeout(60_000);

    it("has its kubelet use the cluster's API if its member was removed while it was off", () => {
        const { steppedAside, usesOwnApi } = run({ ready: "200 ok", node: leaving });
        assert.ok(!steppedAside && !usesOwnApi);
    });

    it("runs a short script that a shell can read, before its kubelet", () => {
        assertShell(script);
        assert.ok(script.split("\n").length < 110);
        const unit = texts["step-aside.service"]!;
        assert.match(unit, /^Before=.*kubelet\.service$/m);
        assert.match(unit, /step-aside boot c-controller-0 https:\/\/[^1 ]\S+:6443 https:\/\/127\.0\.0\.1:6443$/m);
    });

    const unready = { ready: "500 no", node: takenOver };
    const cases: Record<string, [Machine, boolean]> = {
        "serves if nothing else does": [{}, false],
        "serves if its peers have no majority without it": [unready, false],
        "serves with its peers": [{ ready: "200 ok", node: controller }, false],
        "steps aside if another machine took its place": [{ ready: "200 ok", node: takenOver }, true],
        "steps aside if the cluster has no Node for it": [{ ready: "200 ok", node: missing }, true],
        "steps aside if the cluster does not know its certificate": [{ ready: "200 ok", node: "401 {}" }, true],
        "waits while the cluster's answer says nothing": [{ ready: "200 ok", node: "503 {}" }, false],
        "steps aside if the cluster answers a moment later": [
            { later: { pauses: 1, ready: "200 ok", node: takenOver } },
            true,
        ],
        "steps aside if it was marked while it was off": [{ isMarked: true }, true],
        "is left alone if its member runs already": [{ ready: "200 ok", node: missing, isRunning: true }, false],
        "is left alone if it has no member": [{ ready: "200 ok", node: takenOver, lacksMember: true }, false],
    };
    for (const [title, [machine, steppedAside]] of Object.entries(cases)) {
        it(title, () => {
            const outcome = run(machine);
            assert.equal(outcome.steppedAside, steppedAside);
            assert.equal(outcome.usesOwnApi, !steppedAside);
            assert.equal(outcome.isMarked, false);
            assert.equal(outcome.pauses > 3, title.startsWith("waits"));
        });
    }
});

describe("a controller that runs", function () {
    this.timeout(60_000);
    const watch = (machine: Machine) => run({ mode: "watch", isRunning: true, ...machine });

    it("steps aside if it serves although another machine took its place: the cluster did not answer when it booted", () => {
        const { steppedAside, usesOwnApi, commands } = watch({ node: takenOver, ownNode: controller });
        assert.ok(steppedAside && !usesOwnApi);
        assert.deepEqual(
            commands.slice(0, 3).map((line) => line.split(" ")[0]),
            ["systemctl", "pkill", "pkill"],
        );
        assert.ok(commands.includes("systemctl try-restart --no-block kubelet.service"));
    });

    const alone: Record<string, Answers> = {
        "nothing answers": {},
        "all agree that it is one": { node: controller, ownNode: controller },
        "its Node was deleted": { node: missing, ownNode: missing },
        "its own API agrees that it leaves": { node: takenOver, ownNode: takenOver },
        "another machine took its place, and its own API does not work": { node: takenOver },
        "it leaves, and its own API still works": { node: leaving, ownNode: leaving },
        "its own API does not work, but it stays a controller": { node: controller },
    };
    for (const [title, answers] of Object.entries(alone)) {
        it(`goes on if ${title}`, () => {
            const { steppedAside, commands } = watch(answers);
            assert.equal(steppedAside, false);
            assert.deepEqual(commands, []);
        });
    }

    it("has its kubelet use the cluster's API if its member was removed while it was cut off", () => {
        for (const ownNode of ["000", "500 {}"]) {
            const { steppedAside, usesOwnApi, commands } = watch({ node: leaving, ownNode });
            assert.ok(!steppedAside && !usesOwnApi);
            assert.deepEqual(commands.slice(0, 1), ["systemctl try-restart --no-block kubelet.service"]);
        }
        assert.deepEqual(watch({ node: leaving, isStarting: true }).commands, []);
    });

    it("has its kubelet use the cluster's API once it has no member: its own API has ended", () => {
        const { usesOwnApi, commands } = watch({ lacksMember: true });
        assert.equal(usesOwnApi, false);
        assert.deepEqual(commands, ["systemctl try-restart --no-block kubelet.service"]);
        assert.deepEqual(watch({ lacksMember: true, isStarting: true }).commands, []);
    });
});
