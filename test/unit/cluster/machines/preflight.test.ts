import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import {
    chmodSync,
    existsSync,
    mkdirSync,
    mkdtempSync,
    readFileSync,
    rmSync,
    symlinkSync,
    writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { hostname, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { readFindings } from "../../../../agents/boot/preflight";
import { preflight } from "../../../../cluster/machines/preflight";
import { preflightScript } from "../../../../cluster/machines/preflight-script";
import { ports } from "../../../../cluster/network/ports";
import type { NetworkOptions } from "../../../../cluster/options";
import { diffable } from "../../../../ignition";
import { freePort } from "../../../free-port";
import { downloads, fixedCluster } from "../../components/in-cluster/fixture";
import { assertShell } from "../../components/in-cluster/shell";

const run = promisify(execFile);

/** A machine that is fine: its files, and programs that would change or observe this one. */
const files = {
    "/proc/sys/kernel/osrelease": "6.8.0-31-generic\n",
    "/proc/filesystems": "nodev\ttmpfs\nnodev\toverlay\n",
    "/proc/sys/net/netfilter/nf_conntrack_max": "1\n",
    "/proc/sys/net/bridge/bridge-nf-call-iptables": "1\n",
    "/sys/fs/cgroup/cgroup.controllers": "cpuset cpu io memory pids\n",
    "/proc/swaps": "Filename Type Size Used Priority\n",
    "/proc/meminfo": "MemTotal:        4024684 kB\nMemFree: 1 kB\n",
    "/opt/tradewind/kubelet/1/kubelet": "",
    "/etc/containerd/certs.d/_default/hosts.toml": "",
    "/bin/ip": "exit 0",
    "/bin/modprobe": "exit 1",
    "/bin/systemctl": "echo active",
    "/bin/containerd": "exit 0",
    "/bin/journalctl": "echo 'failed to load plugin'",
    "/bin/df": `case $1 in
-Pk) printf 'Filesystem 1024-blocks Used Available Capacity Mounted on\\n/dev/vda1 9999999 1 5000000 1%% /\\n' ;;
*) printf 'Filesystem Inodes IUsed IFree IUse%% Mounted on\\n/dev/vda1 99999 1 5000 1%% /\\n' ;;
esac`,
};

type Files = Partial<Record<keyof typeof files, string | undefined>> & Record<string, string | undefined>;

/** Where programs are found: those above first. */
const everything = (root: string) => `${root}/bin:${process.env.PATH}`;

const checks = {
    result: "/run/tradewind/preflight",
    client: "/var/lib/kubelet/pki/kubelet-client-current.pem",
    name: hostname(),
    kernel: [5, 13],
    isFlannel: true,
    refusesCgroupV1: true,
    memory: 900,
    settings: ["/etc/kubernetes/kubelet.conf.d", "/opt/tradewind/kubelet/settings"],
    space: [
        ["/etc/kubernetes", 10],
        ["/var/lib/kubelet", 1024],
        ["/var/lib/containerd", 1024],
    ],
    ports: [],
    issued: 1_700_000_000,
    downloads: [["/opt/tradewind/kubelet/1/kubelet", "the kubelet", ["http://127.0.0.1:1/kubelet"]]],
    registry: "127.0.0.1:1",
    fetchesRuntime: false,
} satisfies Parameters<typeof preflightScript>[0];

describe("the preflight of a machine", function () {
    this.timeout(20_000);
    let root: string;
    let server: Server | undefined;
    beforeEach(() => {
        root = mkdtempSync(join(tmpdir(), "tradewind-preflight-"));
    });
    afterEach(() => {
        server?.close();
        server = undefined;
        rmSync(root, { recursive: true });
    });

    /** Its exit code, output and findings, in a directory instead of the file system of this machine. */
    const check = async (
        changes: Files = {},
        options: Partial<Parameters<typeof preflightScript>[0]> = {},
        path = everything,
    ) => {
        for (const [path, text] of Object.entries({ ...files, ...changes })) {
            const at = join(root, path);
            if (text === undefined) {
                rmSync(at, { force: true });
                continue;
            }
            mkdirSync(dirname(at), { recursive: true });
            writeFileSync(at, path.startsWith("/bin/") ? `#!/bin/sh\n${text}\n` : text);
            if (path.startsWith("/bin/")) chmodSync(at, 0o755);
        }
        const text = preflightScript({ ...checks, ...options });
        const script = text.replaceAll(/(?<![\w.])\/(etc|opt|proc\/(?!\$)|run|sys|var)\b/g, `${root}$&`);
        const { stdout, code } = await run("sh", ["-c", script], { env: { PATH: path(root), LC_ALL: "C" } }).then(
            (output) => ({ ...output, code: 0 }),
            (error: { stdout: string; code: number }) => error,
        );
        const found = readFileSync(join(root, checks.result), "utf8").replaceAll(root, "");
        return { stdout, code, ...readFindings(found.replaceAll(`${root.slice(1).replaceAll("/", "-")}-`, "")) };
    };
    const errorsOf = async (...args: Parameters<typeof check>) => (await check(...args)).errors;

    it("finds nothing on a machine that is fine", async () => {
        const { code, errors, warnings, stdout } = await check();
        assert.deepEqual({ code, errors, warnings }, { code: 0, errors: [], warnings: [] });
        assert.equal(stdout, "tradewind: preflight found nothing\n");
    });

    it("finds all errors at once, fails, and prints them once", async () => {
        const changes = {
            "/proc/sys/kernel/osrelease": "4.19.0-6-amd64\n",
            "/proc/swaps": "Filename Type Size Used Priority\n/dev/vda3 partition 1 0 -2\n/swapfile file 1 0 -3\n",
            "/proc/meminfo": "MemTotal: 500000 kB\n",
            "/etc/kubernetes/admin.conf": "",
            "/bin/systemctl": "echo activating",
            "/bin/sleep": "exit 0",
        };
        const first = await check(changes);
        assert.equal(first.code, 1);
        assert.deepEqual(first.errors, [
            "KernelVersion: the kernel must be 5.13 or newer (got 4.19.0-6-amd64)",
            "Swap: swap must be off (got /dev/vda3, /swapfile): swapoff --all, and remove it from /etc/fstab",
            "Mem: memory must be 900 MiB or more (got 488)",
            "FileAvailable-etc-kubernetes-admin.conf: /etc/kubernetes/admin.conf must not exist: it belongs to another cluster (kubeadm reset, or a new machine)",
            "ContainerRuntime: containerd must run (got activating: failed to load plugin)",
        ]);
        assert.match(first.stdout, /^tradewind: preflight error KernelVersion: .*\n(.*\n){4}$/);
        assert.equal((await check(changes)).stdout, "");
        const { code, stdout } = await check({ "/etc/kubernetes/admin.conf": undefined });
        assert.deepEqual([code, stdout], [0, "tradewind: preflight found nothing\n"]);
    });

    it("finds nothing on a node, whatever it runs", async () => {
        const changes = { "/proc/meminfo": "MemTotal: 5 kB\n", [checks.client]: "" };
        assert.deepEqual(await check(changes), { code: 0, stdout: "", errors: [], warnings: [] });
    });

    it("makes warnings of errors that are ignored by name", async () => {
        const changes = { "/proc/meminfo": "MemTotal: 500000 kB\n", "/proc/filesystems": "" };
        const ignored = "/etc/tradewind/preflight-ignored";
        const some = await check({ ...changes, [ignored]: "Swap\nMem\n" });
        assert.deepEqual(some.warnings, ["Mem: memory must be 900 MiB or more (got 488)"]);
        assert.match(some.errors.join("\n"), /^KernelModule-overlay: [^\n]*$/);
        assert.equal(some.code, 1);
        const all = await check({ ...changes, [ignored]: "all\n" });
        assert.deepEqual([all.code, all.errors, all.warnings.length], [0, [], 2]);
    });

    it("finds the program that uses a port, but not those of the cluster itself", async () => {
        const [used, free] = [await freePort(), await freePort()];
        server = createServer().listen(used, "127.0.0.1");
        const options = { ports: [`${used}/tcp kube-apiserver`, `${free}/tcp kubelet`, `${used}/udp flannel-vxlan`] };
        const [error, ...others] = await errorsOf({}, options);
        assert.deepEqual(others, []);
        assert.match(
            error!,
            new RegExp(
                `^Port-${used}: port ${used}/tcp must be free for kube-apiserver \\(got .*, process ${process.pid}\\)$`,
            ),
        );
        // As systemd and container runtimes name their groups.
        const listening = `echo 'tcp LISTEN 0 5 *:${used} *:* users:(("kubelet",pid=7,fd=3))'`;
        const owned = 'case $* in *proc/7/cgroup) exit 0 ;; esac\nexec /usr/bin/env -i PATH=/usr/bin:/bin grep "$@"';
        assert.deepEqual(await errorsOf({ "/bin/ss": listening, "/bin/grep": owned }, options), []);
        // A port that only the kernel uses, as for VXLAN.
        const kernel = `echo 'udp UNCONN 0 0 0.0.0.0:${used} 0.0.0.0:*'`;
        assert.deepEqual(await errorsOf({ "/bin/ss": kernel, "/bin/grep": undefined }, options), []);
        assert.deepEqual(await errorsOf({ "/bin/ss": "exit 127" }, options), []);
    });

    it("finds missing space and inodes once for each file system", async () => {
        const df = (kib: number, inodes: string) => `case $1 in
-Pk) printf 'F 1024-blocks Used Available Capacity Mounted on\\n/dev/vda1 9 9 ${kib} 9%% /\\n' ;;
*) printf 'F Inodes IUsed IFree IUse%% Mounted on\\n/dev/vda1 ${inodes} 9%% /\\n' ;;
esac`;
        assert.deepEqual(await errorsOf({ "/bin/df": df(900 * 1024, "9 9 9000") }), [
            "DiskSpace-var-lib-kubelet: 1024 MiB or more must be free on / (got 900)",
        ]);
        assert.deepEqual(await errorsOf({ "/bin/df": df(9_000_000, "70000 69999 1") }), [
            "Inodes-etc-kubernetes: 1000 inodes or more must be free on / (got 1)",
        ]);
        // btrfs has no number of inodes.
        assert.deepEqual(await errorsOf({ "/bin/df": df(9_000_000, "0 0 0") }), []);
        assert.deepEqual(await errorsOf({ "/bin/df": df(9_000_000, "- - -") }), []);
        assert.deepEqual(await errorsOf({ "/bin/df": "exit 1" }), []);
        assert.equal(existsSync(join(root, "etc/kubernetes/.preflight")), false);
    });

    it("finds directories that cannot be written to", async () => {
        // Root may write to any directory of its own.
        assert.deepEqual(await errorsOf({}, { space: [["/proc/sys/kernel/osrelease/x", 1]] }), []);
        const script = await errorsOf({}, { space: [["/dev/pts/x", 1]] });
        assert.deepEqual(script, ["Writable-dev-pts-x: /dev/pts/x must be writable (got no file in /dev/pts)"]);
    });

    it("requires what the kubelet requires of cgroups, and respects its settings", async () => {
        const missing = { "/sys/fs/cgroup/cgroup.controllers": "cpu io memory pids\n" };
        assert.deepEqual(await errorsOf(missing), [
            "Cgroup-cpuset: the cgroup controller cpuset must be enabled (got cpu io memory pids)",
        ]);
        const first = {
            "/sys/fs/cgroup/cgroup.controllers": undefined,
            "/proc/cgroups":
                "#subsys_name\thierarchy\tnum_cgroups\tenabled\ncpu\t1\t1\t1\ncpuset\t1\t1\t1\nmemory\t1\t1\t0\n",
        };
        assert.deepEqual(
            (await errorsOf(first)).map((each) => each.split(":")[0]),
            ["CgroupVersion", "Cgroup-memory"],
        );
        const settings = "failCgroupV1: false\nfailSwapOn: false\n";
        const swap = { "/proc/swaps": "Filename\n/dev/vda3\n" };
        const set = { ...first, ...swap, "/etc/kubernetes/kubelet.conf.d/90-host.conf": settings };
        assert.deepEqual(
            (await errorsOf(set)).map((each) => each.split(":")[0]),
            ["Cgroup-memory"],
        );
        const json = '{ "failSwapOn": false }';
        const inJson = { ...swap, "/sys/fs/cgroup/cgroup.controllers": "cpu cpuset memory\n" };
        const own = { "/etc/kubernetes/kubelet.conf.d/90-host.conf": undefined };
        assert.deepEqual((await errorsOf({ ...inJson, ...own })).length, 1);
        assert.deepEqual(
            await errorsOf({ ...inJson, ...own, "/opt/tradewind/kubelet/settings/config-1.json": json }),
            [],
        );
    });

    it("requires what the pod network requires of the kernel, if the stack installs it", async () => {
        const changes = {
            "/proc/sys/net/bridge/bridge-nf-call-iptables": undefined,
            "/bin/ip": "echo 'RTNETLINK answers: Operation not supported' >&2; exit 2",
        };
        assert.deepEqual(await errorsOf(changes), [
            "KernelModule-br_netfilter: the kernel must filter packets of bridges (no /proc/sys/net/bridge/bridge-nf-call-iptables)",
            "KernelModule-vxlan: the kernel must have VXLAN interfaces (got RTNETLINK answers: Operation not supported)",
        ]);
        assert.deepEqual(await errorsOf(changes, { isFlannel: false }), []);
    });

    it("compares the clock with the CA", async () => {
        const issued = Math.floor(Date.now() / 1000) + 3600;
        const [error] = await errorsOf({}, { issued });
        assert.match(error!, /^Clock: the clock must be right \(got .*\): the cluster's CA was issued later, at 20/);
        assert.deepEqual(await errorsOf({}, { issued: issued - 3590 }), []);
        assert.deepEqual(await errorsOf({}, { issued: undefined }), []);
    });

    it("warns if nothing answers where it downloads from, without the secrets of a URL", async () => {
        const port = await freePort();
        const urls = [`http://u:p@127.0.0.1:${port}/kubelet?token=x`];
        const options = { downloads: [["/opt/x", "the kubelet", urls]] as const, registry: `127.0.0.1:${port}` };
        const { errors, warnings, code } = await check(
            { "/etc/containerd/certs.d/_default/hosts.toml": undefined },
            options,
        );
        assert.deepEqual([code, errors, warnings.length], [0, [], 2]);
        const own = warnings.find((each) => each.includes("the kubelet"))!;
        assert.match(
            own,
            /^Reachable: the kubelet must be reachable at http:\/\/127\.0\.0\.1:\d+\/kubelet\?\.\.\. \(got curl: \(7\)/,
        );
        // Any answer is one.
        server = createServer((socket) => socket.end("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n")).listen(
            port,
        );
        assert.deepEqual((await check({ "/etc/containerd/certs.d/_default/hosts.toml": "" }, options)).warnings, []);
    });

    it("requires a host name that a node can have", async () => {
        assert.match((await check({}, { name: "c-worker-0" })).warnings[0]!, /^Hostname: .* of the node, c-worker-0 /);
        assert.deepEqual(await errorsOf({ "/bin/uname": "echo IP-10-0-0-1.ec2.internal" }, { name: undefined }), []);
        for (const name of ["localhost", "my_machine"]) {
            const [error] = await errorsOf({ "/bin/uname": `echo ${name}` }, { name: undefined });
            assert.match(error!, new RegExp(`^Hostname: .* \\(got ${name}\\)$`));
        }
    });

    it("requires the programs that scripts on machines use", async () => {
        mkdirSync(join(root, "bin"));
        for (const name of "awk cat cmp cut date grep ls mkdir mv rm sed sh ss tail tr uname wc".split(" ")) {
            symlinkSync((await run("which", [name])).stdout.trim(), join(root, "bin", name));
        }
        assert.deepEqual(await errorsOf({ "/bin/sha256sum": "exit" }, {}, (only) => `${only}/bin`), [
            "FileExisting-curl: the program curl must be installed (got none)",
            "FileExisting-tar: the program tar must be installed (got none)",
        ]);
    });
});

describe("the preflight in a node config", () => {
    const machine = { name: "c-controller-0", address: "10.0.0.1" };
    const texts = (isController: boolean, network?: NetworkOptions) =>
        diffable(preflight(fixedCluster({ network }), { machine, downloads, ca: "", isController }));
    const scriptOf = (...of: Parameters<typeof texts>) =>
        texts(...of)["/opt/tradewind/bin/preflight"]!.replace(/^mode.*\n/, "");

    it("has a script without a mistake that a shell or shellcheck finds", () => {
        assertShell(scriptOf(true));
        assertShell(scriptOf(false));
    });

    it("keeps the kubelet from starting until it succeeds, and is repeated", () => {
        const unit = texts(true)["preflight.service"]!;
        assert.match(unit, /^Before=kubelet\.service$/m);
        assert.match(unit, /^RequiredBy=kubelet\.service$/m);
        assert.match(unit, /^Restart=on-failure$/m);
    });

    it("has the checks that the documentation lists, and no other", () => {
        const script = scriptOf(true) + preflightScript({ ...checks, name: undefined });
        const named = [...script.matchAll(/\b(?:error|warning) "?([A-Z][A-Za-z0-9]+)/g)].map(([, name]) => name!);
        const page = readFileSync(join(__dirname, "../../../../docs/preflight.md"), "utf8");
        const listed = [...page.matchAll(/^\| `(\w+)(?:-…)?` /gm)].map(([, name]) => name!);
        assert.deepEqual(listed.sort(), [...new Set(named)].sort());
    });

    it("checks the ports of the machine's role", () => {
        const portsIn = (script: string) => (script.match(/^\d+(?=\/(tcp|udp) )/gm) ?? []).map(Number);
        const both = [ports.kubelet, ports.kubeProxyHealthz, ports.flannelVxlan];
        const own = [ports.kubeApiserver, ports.etcdClient, ports.etcdPeer];
        const [controller, worker] = [portsIn(scriptOf(true)), portsIn(scriptOf(false))];
        assert.deepEqual(
            [...both, ...own].filter((port) => !controller.includes(port)),
            [],
        );
        assert.deepEqual(
            [...both, ...own].filter((port) => worker.includes(port)),
            both,
        );
        const replaced = portsIn(scriptOf(true, { cni: "none", kubeProxyMode: "none" }));
        assert(!replaced.includes(ports.kubeProxyHealthz));
    });
});
