import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startScript } from "../../../../components/control-plane/kubelet-start";
import { paths } from "../../../../components/nodes/paths";
import { assertShell } from "../shell";

/** Of the machine that a pod starts on. */
interface Scene {
    /** What the pod's starts have left. */
    readonly starts?: string;
    /** The kubelet that the host started last is that which is selected, once the pod has waited. */
    readonly isHostLate?: boolean;
    /** Flags of the host's kubelet. */
    readonly flags?: readonly string[];
}

const lock = ["--lock-file=/run/kubelet.lock", "--exit-on-lock-contention=true"];

/** Starts the pod, uptime 1000 s, beside a host whose kubelet is process 77; another kubelet is selected when it runs. */
function start({ starts, isHostLate = false, flags = lock }: Scene) {
    const folder = mkdtempSync(join(tmpdir(), "kubelet-start-"));
    const path = (name: string) => join(folder, name);
    const program = (name: string, text: string) => writeFileSync(path(name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    const list = (...texts: string[]) => texts.map((text) => `${text}\0`).join("");
    try {
        for (const each of ["kubelets", "proc/77", "run"]) mkdirSync(path(each), { recursive: true });
        writeFileSync(path("kubelets/kubelet.env"), "selected");
        writeFileSync(path("kubelets/running.env"), isHostLate ? "other" : "selected");
        writeFileSync(path("proc/uptime"), "1000.12 90.1\n");
        writeFileSync(path("proc/77/environ"), list("PATH=/usr/bin:/bin", "HTTPS_PROXY=http://proxy.test a"));
        writeFileSync(path("proc/77/cmdline"), list(path("kubelet"), "--node-labels=a=b c", ...flags));
        symlinkSync(path("kubelet"), path("proc/77/exe"));
        if (starts !== undefined) writeFileSync(path("run/kubelet-pod.starts"), `${starts}\n`);
        program("systemctl", `case $1 in show) echo 77 ;; *) echo "systemctl $*" ;; esac`);
        program(
            "sleep",
            `[ "$1" = 1 ] || echo "sleep $1"; cp ${path("kubelets/kubelet.env")} ${path("kubelets/running.env")}`,
        );
        const select = `echo next >${path("new")}; mv ${path("new")} ${path("kubelets/kubelet.env")}`;
        program("kubelet", `echo "$$ is kubelet" "$@"; env | sort; ${select}; exec /bin/sleep 5`);
        const script = startScript
            .replaceAll(paths.kubelets, path("kubelets"))
            .replaceAll("/proc/", `${folder}/proc/`)
            .replaceAll("/run/", `${folder}/run/`);
        const env = { PATH: `${folder}:${process.env.PATH}`, OF_THE_POD: "1" };
        const { stdout, signal } = spawnSync("/bin/sh", ["-c", script, "kubelet"], {
            encoding: "utf8",
            env,
            timeout: 20_000,
        });
        const dropIn = path("run/systemd/system/kubelet.service.d/pod.conf");
        return {
            lines: stdout.replaceAll(`${folder}/`, "").split("\n").filter(Boolean),
            signal,
            pid: existsSync(path("run/kubelet-pod.pid"))
                ? readFileSync(path("run/kubelet-pod.pid"), "utf8").trim()
                : "",
            starts: existsSync(path("run/kubelet-pod.starts")),
            dropIn: existsSync(dropIn) ? readFileSync(dropIn, "utf8") : "",
        };
    } finally {
        rmSync(folder, { recursive: true });
    }
}

describe("the start of a kubelet in its pod", () => {
    it("is clean shell", () => assertShell(startScript));

    it("is that of the host's, with its flags and environment, but that it keeps the lock", () => {
        const { lines, pid } = start({});
        const at = lines.findIndex((line) => line.includes("is kubelet"));
        assert.equal(lines[at], `${pid} is kubelet --node-labels=a=b c --lock-file=/run/kubelet.lock`);
        assert.ok(lines.includes("HTTPS_PROXY=http://proxy.test a"));
        assert.ok(!lines.includes("OF_THE_POD=1"));
    });

    it("lets systemd end the host's while that waits for the lock", () => {
        const { lines, dropIn } = start({});
        assert.equal(dropIn, "[Service]\nTimeoutStopSec=3\n");
        assert.ok(lines.includes("systemctl daemon-reload"));
    });

    it("ends, to be started without a pause, when another kubelet is selected", () => {
        const { lines, signal, starts } = start({});
        assert.ok(lines.includes("kubelet's pod: another kubelet is selected"));
        assert.equal(signal, "SIGTERM");
        assert.equal(starts, false);
    });

    it("waits for a host that has not started what is selected", () => {
        const waits = "kubelet's pod: waits until the host's kubelet is as selected, and has a lock";
        assert.ok(start({ isHostLate: true }).lines.includes(waits));
        assert.ok(!start({}).lines.includes(waits));
    });

    const pauses: [string, number | undefined][] = [
        ["2 990", undefined],
        ["3 990", 10],
        ["5 990", 40],
        ["7 990", 160],
        ["8 990", 300],
        ["90 990", 300],
        ["90 399", undefined],
    ];
    for (const [starts, seconds] of pauses) {
        const [count, last] = starts.split(" ").map(Number) as [number, number];
        it(`${seconds ? `waits ${seconds} s` : "waits for nothing"} after ${count} starts, the last ${1000 - last} s ago`, () => {
            const slept = start({ starts }).lines.filter((line) => line.startsWith("sleep ") && line !== "sleep 5");
            assert.deepEqual(slept, seconds ? [`sleep ${seconds}`] : []);
        });
    }
});
