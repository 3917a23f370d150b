import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { renderKubeletEnv } from "../../../../../agents/nodes/node-agent/kubelet/kubelets";
import { startScript } from "../../../../../cluster/manifests/nodes/kubelet-pods";
import { paths } from "../../../../../cluster/paths";
import { assertShell } from "../../../components/in-cluster/shell";

/** State of the machine that a pod starts on. */
interface Scene {
    /** Left by earlier starts of the pod. */
    readonly starts?: string;
    /** Whether the host's running kubelet is the selected one once the pod has waited. */
    readonly isHostLate?: boolean;
    /** Seconds until a kubelet selected while the pod's runs waits for the lock. @default at once */
    readonly secondsToWait?: number;
    /** Whether it has no lock. */
    readonly isLockGone?: boolean;
    /** Seconds for which the node runs another version than the image has. @default none */
    readonly secondsOther?: number;
    /** Whether the image's kubelet has other bytes than the selected one of the same version. */
    readonly isForged?: boolean;
}

const lock = ["--lock-file=/run/kubelet.lock", "--exit-on-lock-contention=true"];
const imagesSum = "0123";
const envOf = (settings: string, { version = "1.99.0", sha256 = imagesSum } = {}) =>
    renderKubeletEnv({ version, sha256, urls: ["u"], settings });

/**
 * Starts the pod at uptime 1000 s, next to a host whose kubelet is process 77; another kubelet was selected while it
 * runs.
 */
function start(scene: Scene) {
    const {
        starts,
        isHostLate = false,
        secondsToWait = 0,
        isLockGone = false,
        secondsOther = 0,
        isForged = false,
    } = scene;
    const folder = mkdtempSync(join(tmpdir(), "kubelet-start-"));
    const path = (name: string) => join(folder, name);
    const write = (name: string, text: string) => writeFileSync(path(name), text);
    const read = (name: string) => (existsSync(path(name)) ? readFileSync(path(name), "utf8") : "");
    const program = (name: string, text: string) => writeFileSync(path(name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    const list = (...texts: string[]) => texts.map((text) => `${text}\0`).join("");
    const [selected, running] = [path("kubelets/kubelet.env"), path("kubelets/running.env")];
    try {
        for (const each of [
            ...["kubelets/settings", "proc/77", "run", "image", "usr/lib"],
            ...["etc", "lib", "lib64", "usr/lib", "var"].map((name) => `.node/${name}`),
        ]) {
            mkdirSync(path(each), { recursive: true });
        }
        write(".node/usr/lib/os-release", "");
        write(".node/swapfile", "");
        const first = envOf("first", isForged ? { sha256: "4567" } : {});
        write("first.env", first);
        write("kubelets/kubelet.env", secondsOther > 0 ? envOf("first", { version: "1.98.0" }) : first);
        write("kubelets/running.env", isHostLate ? "other" : first);
        write("next.env", envOf("next"));
        write("kubelets/settings/flags-next", isLockGone ? "--v=1\n" : `${lock.join("\n")}\n`);
        write("proc/uptime", "1000.12 90.1\n");
        write("proc/locks", "1: FLOCK  ADVISORY  WRITE 77 00:1:2 0 EOF\n");
        write("proc/77/environ", list("PATH=/usr/bin:/bin", "HTTPS_PROXY=http://proxy.test a"));
        write("proc/77/cmdline", list(path("kubelet"), "--node-labels=a=b c", ...lock));
        symlinkSync(path("kubelet"), path("proc/77/exe"));
        if (starts !== undefined) write("run/kubelet-pod.starts", `${starts}\n`);
        for (const each of ["mount", "umount"]) program(each, `echo "${each} $*"`);
        program("chroot", `case $3 in show) echo 77 ;; *) echo "chroot $*" ;; esac`);
        program("sha256sum", `echo "${imagesSum}  -"`);
        program(
            "sleep",
            `[ "$1" = 1 ] || echo "sleep $1"
if grep -q 1.98.0 ${selected}; then
    echo "stands by: $(ls ${path("standby")} 2>&1), $(ls ${path("kubelets/pod.env")} 2>&1)"
    echo >>${path("others")}
    [ "$(wc -l <${path("others")})" -lt ${secondsOther} ] || mv ${path("first.env")} ${selected}
    exit 0
fi
cp ${selected} ${running}
grep -q next ${selected} || exit 0
echo >>${path("seconds")}
[ "$(wc -l <${path("seconds")})" -lt ${secondsToWait} ] || echo '1: -> FLOCK  ADVISORY  WRITE 77 00:1:2 0 EOF' >${path("proc/locks")}`,
        );
        program("kubelet", "echo this is the host's");
        program(
            "image/kubelet",
            `if [ "$1" = --version ]; then echo "Kubernetes v1.99.0"; exit; fi
echo "$$ is kubelet" "$@"; env | sort; mv ${path("next.env")} ${selected}; exec /bin/sleep 5`,
        );
        const script = startScript
            .replaceAll("/usr/local/bin/kubelet", path("image/kubelet"))
            .replaceAll("/.node", path(".node"))
            .replaceAll(/(?<!\w)\/usr\/lib\/os-release/g, path("usr/lib/os-release"))
            .replaceAll("/standby", path("standby"))
            .replaceAll(paths.kubelets, path("kubelets"))
            .replaceAll("/proc/", `${folder}/proc/`)
            .replaceAll("/run/", `${folder}/run/`);
        const { stdout, signal, status } = spawnSync("/bin/sh", ["-c", script, "kubelet"], {
            encoding: "utf8",
            env: { PATH: `${folder}:${process.env.PATH}`, OF_THE_POD: "1" },
            timeout: 20_000,
        });
        return {
            lines: stdout.replaceAll(`${folder}/`, "").split("\n").filter(Boolean),
            signal,
            status,
            pid: read("run/kubelet-pod.pid").trim(),
            left: ["run/kubelet-pod.starts", "kubelets/pod.env"].filter((name) => existsSync(path(name))),
            dropIn: read("run/systemd/system/kubelet.service.d/pod.conf"),
            seconds: read("seconds").length,
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
        assert.ok(!lines.includes("PATH=/usr/bin:/bin"), "the programs are the image's");
    });

    it("is among the node's files, with the image's programs, and leaves the node's mounts alone", () => {
        const { lines } = start({});
        assert.deepEqual(
            lines.filter((line) => /^u?mount /.test(line)),
            [
                "mount --make-private /",
                "mount --rbind .node/etc /etc",
                "mount --rbind .node/var /var",
                "mount --bind .node/usr/lib/os-release usr/lib/os-release",
                "mount --make-rslave .node",
                "umount --lazy .node",
            ],
        );
    });

    it("stands by, ready, while the node runs another version than the image has", () => {
        const { lines } = start({ secondsOther: 3 });
        const says = "kubelet's pod: waiting: the node runs kubelet 1.98.0, and this image has 1.99.0";
        assert.equal(lines.filter((line) => line === says).length, 1);
        const stands = lines.filter((line) => line.startsWith("stands by: "));
        assert.equal(stands.length, 3);
        for (const line of stands) assert.match(line, /^stands by: standby, .*(cannot access|No such file)/);
        assert.ok(lines.some((line) => line.includes("is kubelet")));
        assert.ok(!lines.some((line) => line.startsWith("stands by: ") && line.includes("pod.env,")));
    });

    it("fails with a kubelet in the image that is not the host's", () => {
        const { lines, status } = start({ isForged: true });
        assert.equal(status, 1);
        assert.equal(
            lines.at(-1),
            "kubelet's pod: the kubelet 1.99.0 in this image must have the SHA-256 4567, like the host's (got 0123)",
        );
        assert.ok(!lines.some((line) => line.includes("is kubelet")));
    });

    it("makes systemd kill the host's kubelet while it waits for the lock", () => {
        const { lines, dropIn } = start({});
        assert.equal(dropIn, "[Service]\nTimeoutStopSec=3\n");
        assert.ok(lines.includes("chroot proc/1/root systemctl daemon-reload"));
    });

    it("ends, to be started without a pause, when another kubelet was selected, and waits for the lock", () => {
        const { lines, signal, left, seconds } = start({ secondsToWait: 20 });
        assert.deepEqual(lines.filter((line) => line.startsWith("kubelet's pod: ")).slice(-2), [
            "kubelet's pod: another kubelet was selected",
            "kubelet's pod: stopping for it",
        ]);
        assert.equal(signal, "SIGTERM");
        assert.ok(seconds >= 20, `${seconds} s`);
        assert.deepEqual(left, []);
    });

    it("ends at once for a kubelet without a lock, which would not wait", () => {
        const { signal, seconds } = start({ isLockGone: true, secondsToWait: 1000 });
        assert.equal(signal, "SIGTERM");
        assert.ok(seconds < 20, `${seconds} s`);
    });

    it("waits for a host that has not started what is selected", () => {
        const waits = "kubelet's pod: waiting until the host's kubelet is the selected one and holds the lock";
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
