import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { kubeletWrapper, type SecondAddress } from "../../../../../cluster/machines/kubelet/wrapper";
import { paths } from "../../../../../cluster/paths";
import { diffable } from "../../../../../ignition";
import { downloads } from "../../../components/in-cluster/fixture";
import { assertShell } from "../../../components/in-cluster/shell";

describe("the kubelet's launcher", () => {
    const settings = { id: "a1", configuration: "{}", flags: ["--v=4", "--x=y z"] };
    const contents = (path: string, options: { second?: SecondAddress } = {}) => {
        const texts = diffable(kubeletWrapper("1.99.0", downloads.kubelet, settings, paths.kubeconfig, options));
        return texts[path]!.replace(/^mode.*\n/, "");
    };

    it("reads a version, its hash and its URLs", () => {
        assert.equal(
            contents(paths.kubeletVersion),
            `KUBELET_VERSION=1.99.0\nKUBELET_SHA256=${"1".repeat(64)}\nKUBELET_URLS="${downloads.kubelet.urls.join(" ")}"\n` +
                "KUBELET_SETTINGS=a1\n",
        );
    });

    /**
     * Runs the launcher with a kubelet that prints its arguments, on a machine whose only address is 10.0.0.21, or which
     * also has 2001:db8::15.
     */
    function launch(
        flags: string[],
        {
            hasJoined = true,
            pki = {},
            lateAfter,
            hasIpv6 = true,
            before,
            more = "",
            cards,
            ...options
        }: {
            hasJoined?: boolean;
            pki?: Record<string, string>;
            second?: SecondAddress;
            /** Seconds until the address exists. */
            lateAfter?: number;
            hasIpv6?: boolean;
            /** Remembered flags of the last start, which has left its state. @default - it is the first */
            before?: string;
            /** More lines of the file of flags. */
            more?: string;
            /** Shell that makes network cards, in a network of its own with the real `ip`. @default - a fake `ip` */
            cards?: string;
        } = {},
    ): { output: string; folder: string; running: string; pki: string[]; hasState: boolean; remembered: string } {
        const folder = mkdtempSync(join(tmpdir(), "kubelet-wrapper-"));
        try {
            const program = (name: string, text: string) =>
                writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
            writeFileSync(join(folder, "kubelet.env"), contents(paths.kubeletVersion));
            mkdirSync(join(folder, "kubelets/settings"), { recursive: true });
            writeFileSync(
                join(folder, "kubelets/settings/flags-a1"),
                contents(`${paths.kubelets}/settings/flags-a1`) + more,
            );
            // Instead of the download.
            const kubelet = `printf '#!/bin/sh\\necho "$0" "$@" fetched by: %s\\n' "$*" >"$1"`;
            program("fetch", `mkdir -p "\${1%/*}"\n${kubelet}`);
            const fakeIp = `case "$6 $7" in
" ") echo 2: eth0 inet 10.0.0.21/24 scope global eth0; exit ;;
"to 2000::/3") ${hasIpv6 ? "[ $3 = inet6 ] && echo 2: eth0 inet6 2001:db8::15/128 scope global" : "exit"} ;;
"scope global") echo 2: eth0 inet 203.0.113.9/20 scope global eth0; exit ;;
"to 10.0.0.21" | "to 10.0.0.0/24") [ "$(cat ${folder}/slept | wc -l)" -lt ${lateAfter ?? 0} ] || echo 2: eth0 inet 10.0.0.21/24 scope global eth0 ;;
esac`;
            if (cards === undefined) program("ip", fakeIp);
            writeFileSync(join(folder, "slept"), "");
            program("sleep", `echo "$1" >>${folder}/slept`);
            program("await-apiserver", 'echo "$1 waits for its apiserver"');
            if (hasJoined) writeFileSync(join(folder, "kubeconfig"), "");
            mkdirSync(join(folder, "pki"));
            for (const [file, text] of Object.entries(pki)) writeFileSync(join(folder, "pki", file), text);
            const script = contents(`${paths.bin}/kubelet-wrapper`, options)
                .replaceAll(paths.kubeletVersion, join(folder, "kubelet.env"))
                .replaceAll(paths.kubeletRunning, join(folder, "running.env"))
                .replaceAll(paths.kubelets, join(folder, "kubelets"))
                .replaceAll(`${paths.bin}/fetch`, join(folder, "fetch"))
                .replaceAll(`${paths.bin}/await-apiserver`, join(folder, "await-apiserver"))
                .replaceAll(paths.kubeletPki, join(folder, "pki"))
                .replaceAll(paths.kubeconfig, join(folder, "kubeconfig"))
                .replaceAll("/var/lib/kubelet/", `${folder}/`);
            if (before !== undefined) {
                writeFileSync(join(folder, "kubelets/remembered-flags"), before);
                writeFileSync(join(folder, "cpu_manager_state"), "");
            }
            const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` };
            const network = cards === undefined ? [] : ["unshare", "--map-root-user", "--net"];
            const [command, ...args] = [
                ...network,
                "/bin/sh",
                "-c",
                (cards ?? "") + script,
                "kubelet-wrapper",
                ...flags,
            ];
            const output = execFileSync(command!, args, { encoding: "utf8", stdio: "pipe", env });
            const set = / --config=\S+\/settings\/config-[0-9a-f]+\.json --v=4 --x=y z fetched by/;
            const running = readFileSync(join(folder, "running.env"), "utf8");
            const left = readdirSync(join(folder, "pki")).sort();
            const hasState = existsSync(join(folder, "cpu_manager_state"));
            const remembered = readFileSync(join(folder, "kubelets/remembered-flags"), "utf8");
            return { output: output.replace(set, " SET fetched by"), folder, running, pki: left, hasState, remembered };
        } finally {
            rmSync(folder, { recursive: true });
        }
    }

    it("fetches that version, apart from every other, and becomes it", () => {
        const { output, folder, running } = launch(["--node-ip=10.0.0.21", "--node-labels=a=b c"]);
        const kubelet = join(folder, "kubelets/1.99.0/kubelet");
        const fetched = [kubelet, "1".repeat(64), ...downloads.kubelet.urls].join(" ");
        assert.equal(output, `${kubelet} --node-ip=10.0.0.21 --node-labels=a=b c SET fetched by: ${fetched}\n`);
        assert.equal(running, contents(paths.kubeletVersion));
    });

    it("removes what a kubelet remembers about CPUs and memory once flags change that it depends on, and back", () => {
        const flag = "--cpu-manager-policy=static\n--kube-reserved=cpu=100m\n";
        const on = launch([], { before: "", more: flag });
        assert.deepEqual([on.hasState, on.remembered], [false, flag]);
        const off = launch([], { before: flag });
        assert.deepEqual([off.hasState, off.remembered], [false, ""]);
        assert.equal(launch([], { before: flag, more: "--kube-reserved=cpu=2\n" }).hasState, false);
        assert.equal(launch([], { before: flag, more: flag }).hasState, true);
        assert.equal(launch([], { before: "" }).hasState, true);
    });

    it("waits for an apiserver that is not older before it joins, and never after", () => {
        assert.match(
            launch([], { hasJoined: false }).output,
            /^1\.99\.0 waits for its apiserver\n.*\/kubelet SET fetched by/,
        );
        assert.doesNotMatch(launch([]).output, /waits/);
    });

    it("finds the machine's address in a block", () => {
        assert.match(launch(["--node-ip=10.0.0.0/24"]).output, /kubelet --node-ip=10\.0\.0\.21 SET fetched by/);
    });

    it("uses a second address in addition to the one that it finds", () => {
        const flag = "--node-ip=10.0.0.0/24,fd00::15";
        assert.match(launch([flag], { second: "fixed" }).output, /kubelet --node-ip=10\.0\.0\.21,fd00::15 SET/);
        assert.throws(() => launch(["--node-ip=10.0.0.99,fd00::15"], { second: "fixed" }), {
            stderr: /must have an address in 10\.0\.0\.99 \(got /,
        });
        assertShell(contents(`${paths.bin}/kubelet-wrapper`, { second: "fixed" }));
    });

    it("finds the machine's address in a block of each family, and does not start with one of them", () => {
        const flags = ["--cert-dir=y", "--node-ip=10.0.0.0/24,2000::/3", "--x"];
        const found = launch(flags, { second: "found", lateAfter: 3 });
        assert.match(found.output, /kubelet --cert-dir=y --node-ip=10\.0\.0\.21,2001:db8::15 --x SET/);
        assert.throws(() => launch(flags, { second: "found", hasIpv6: false }), {
            stderr: "<3>kubelet-wrapper: not starting the kubelet: this machine must have an address in 2000::/3 (got 10.0.0.21/24)\n",
        });
        assertShell(contents(`${paths.bin}/kubelet-wrapper`, { second: "found" }));
    });

    it("does not start with another address, such as a public one, and reports what the machine has", () => {
        assert.throws(
            () => launch(["--node-ip=10.9.0.0/16", "--cert-dir=y"]),
            ({ status, stdout, stderr }: { status: number; stdout: string; stderr: string }) => {
                assert.deepEqual([status, stdout], [1, ""]);
                assert.equal(
                    stderr,
                    "<3>kubelet-wrapper: not starting the kubelet: this machine must have an address in 10.9.0.0/16 (got 203.0.113.9/20)\n",
                );
                return true;
            },
        );
        assertShell(contents(`${paths.bin}/kubelet-wrapper`));
        const late = launch(["--node-ip=10.0.0.0/24"], { lateAfter: 15 });
        assert.match(late.output, /kubelet --node-ip=10\.0\.0\.21 SET fetched by/);
    });

    describe("on a machine with two network cards", function () {
        this.timeout(60_000);
        // A bridge has addresses like a card, and every kernel has it.
        const card = (name: string, address: string) =>
            `ip link add ${name} type bridge; ip link set ${name} up; ip address add ${address} dev ${name}\n`;
        const open = (name: string) =>
            `${card(name, "203.0.113.9/20")}ip route add default via 203.0.113.1 dev ${name}\n`;
        const orders = {
            first: card("eth0", "10.0.0.21/24") + open("eth1"),
            second: open("eth0") + card("eth1", "10.0.0.21/24"),
        };
        for (const [order, cards] of Object.entries(orders)) {
            it(`uses the address in the machines' network, on the ${order} card, not that of the default route`, () => {
                for (const address of ["10.0.0.0/16", "10.0.0.21"]) {
                    const { output } = launch([`--node-ip=${address}`], { cards });
                    assert.match(output, /kubelet --node-ip=10\.0\.0\.21 SET/);
                }
            });
        }

        it("ignores an address of the cloud on the public card that is in no block of the cluster", () => {
            // DigitalOcean's anchor address, for reserved addresses.
            const anchor = "ip address add 10.19.0.5/16 dev eth0\n";
            const { output } = launch(["--node-ip=10.0.0.0/16"], { cards: orders.second + anchor });
            assert.match(output, /kubelet --node-ip=10\.0\.0\.21 SET/);
        });

        it("does not start before the second card has its address, and reports those of both cards", () => {
            const cards = `${open("eth0")}${card("eth1", "192.168.7.2/24")}`;
            assert.throws(() => launch(["--node-ip=10.0.0.0/16"], { cards }), {
                stderr: /^<3>kubelet-wrapper: .* must have an address in 10\.0\.0\.0\/16 \(got 203\.0\.113\.9\/20, 192\.168\.7\.2\/24\)\n$/,
            });
        });
    });

    const whole = "-----BEGIN X-----\nAA==\n-----END X-----\n";
    const other = { "kubelet-client-current.pem": whole };
    const left: [string, Record<string, string>, string[]][] = [
        ["keeps a whole one", { "kubelet.crt": whole, "kubelet.key": whole }, ["kubelet.crt", "kubelet.key"]],
        ["replaces one without its key", { "kubelet.crt": whole }, []],
        ["replaces an empty one", { "kubelet.crt": "", "kubelet.key": whole }, []],
        ["replaces one whose key was truncated", { "kubelet.crt": whole, "kubelet.key": whole.slice(0, 20) }, []],
        ["does without one", {}, []],
    ];
    for (const [what, files, kept] of left) {
        it(`${what} of the serving certificates that a killed kubelet left`, () => {
            const { pki } = launch([], { pki: { ...files, ...other } });
            assert.deepEqual(pki, ["kubelet-client-current.pem", ...kept].sort());
        });
    }
});
