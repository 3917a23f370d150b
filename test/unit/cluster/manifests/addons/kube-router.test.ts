import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { kubeRouter } from "../../../../../cluster/manifests/addons/kube-router";
import type { NetworkOptions } from "../../../../../cluster/options";
import { dualStack, fixedCluster, podSpecOf } from "../../../components/in-cluster/fixture";
import { assertShell } from "../../../components/in-cluster/shell";
import { golden, goldenChange } from "../../../golden";

const manifests = (network: NetworkOptions = {}) => kubeRouter(fixedCluster({ network }));

function podOf(network: NetworkOptions) {
    return podSpecOf(manifests(network).find(({ kind }) => kind === "DaemonSet")!)!;
}

function flagsOf(network: NetworkOptions): string[] {
    return (podOf(network).containers as { command: string[] }[])[0]!.command;
}

interface PolicySpec {
    readonly matchConstraints: { readonly resourceRules: { readonly resources: string[] }[] };
    readonly variables: { readonly name: string; readonly expression: string }[];
    readonly validations: { readonly expression: string }[];
}

describe("kube-router", () => {
    it("is as reviewed", () => golden(__dirname, "kube-router", manifests()));

    it("clears nodes as reviewed", () =>
        goldenChange(__dirname, "kube-router-cleared", manifests(), manifests({ networkPolicies: "cleared" })));

    it("does not exist where policies are ignored", () =>
        assert.deepEqual(manifests({ networkPolicies: "ignored" }), []));

    it("writes rules for IPv6 if pods have such addresses", () => {
        assert(flagsOf({}).includes("--enable-ipv6=false"));
        const flags = flagsOf(dualStack);
        assert(flags.includes("--enable-ipv6=true"));
        assert(flags.includes("--service-cluster-ip-range=10.3.0.0/16,fd00:10:3::/112"));
    });

    it("knows other node ports", () => {
        const components = { kubeApiserver: { "service-node-port-range": "31000-31999" } };
        assert.match(JSON.stringify(kubeRouter(fixedCluster({ components }))), /--service-node-port-range=31000-31999/);
    });

    it("is the pod network as reviewed", () =>
        goldenChange(__dirname, "kube-router-cni", manifests(), manifests({ cni: "kube-router" })));

    it("lets administrators alone annotate Nodes for it, if it is the pod network", () => {
        const policyOf = (cni: string) => manifests({ cni }).find(({ kind }) => kind === "ValidatingAdmissionPolicy");
        assert.equal(policyOf("flannel"), undefined);
        const { spec } = policyOf("kube-router") as unknown as { spec: PolicySpec };
        assert.deepEqual(spec.matchConstraints.resourceRules[0]!.resources, ["nodes", "nodes/status"]);
        assert.deepEqual(
            spec.validations.map(({ expression }) => expression),
            ["variables.isUnchanged"],
        );
        const { expression } = spec.variables.find(({ name }) => name === "isUnchanged")!;
        // All that it reads of Nodes: pod-cidr, pod-cidrs, rr.*, node.*, peer.*, path-prepend.*, bgp-local-addresses.
        assert.match(expression, /variables\.annotations\.all\(key, !key\.startsWith\("kube-router\.io\/"\)/);
        assert.match(expression, /variables\.old\.all\(key, !key\.startsWith\("kube-router\.io\/"\)/);
    });

    it("is the pod network with policies, without, and while their rules are removed", () => {
        const initsOf = (networkPolicies: string) => {
            const { initContainers } = podOf({ cni: "kube-router", networkPolicies });
            return (initContainers as { name: string }[]).map(({ name }) => name);
        };
        assert.deepEqual(initsOf("enforced"), ["guard-bgp", "block-link-local", "install-cni-config"]);
        assert.deepEqual(initsOf("cleared"), ["guard-bgp", "clear", "install-cni-config"]);
        assert.deepEqual(initsOf("ignored"), ["guard-bgp", "install-cni-config"]);
        for (const networkPolicies of ["enforced", "cleared", "ignored"]) {
            const flags = flagsOf({ cni: "kube-router", networkPolicies });
            assert(flags.includes("--run-router=true"));
            assert(flags.includes(`--run-firewall=${networkPolicies === "enforced"}`));
        }
    });

    it("replaces its pods when its scripts change, and uses them instead of the image's", () => {
        const [path] = (podOf({}).containers as { env: { name: string; value: string }[] }[])[0]!.env;
        assert.match(path!.value, /^\/opt\/packet-filter:/);
    });
});

/** Ends of names of sets: that of a policy's pods, which is there for both directions, and another one. */
const [both, other] = ["CEWYVGMSOQVC37MF", "LVOACM64KUDERJHF"];

describe("kube-router's scripts", () => {
    const scriptsOf = (network: NetworkOptions = {}) =>
        manifests(network).find(({ kind }) => kind === "ConfigMap")!.data as Record<string, string>;
    const scripts = scriptsOf();
    let folder: string;
    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "kube-router-"));
        for (const [name, text] of Object.entries(scripts)) writeFileSync(join(folder, name), text, { mode: 0o755 });
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    /** Runs a script on a node with these rules. @returns what it restores */
    function restored(script: string, saved: string, input = ""): string {
        const command = (name: string, text: string) => writeFileSync(join(folder, name), text, { mode: 0o755 });
        writeFileSync(join(folder, "saved"), saved);
        for (const family of ["iptables", "ip6tables"]) {
            command(
                `${family}-nft-save`,
                `#!/bin/sh\ncat ${folder}/${family === "iptables" ? "saved" : "none"} || :\n`,
            );
            const target = `${folder}/${family}-restored`;
            command(`${family}-nft-restore`, `#!/bin/sh\n{ echo "$*"; cat; } > ${target}\n`);
            command(`${family}-nft`, "#!/bin/sh\nexit 1\n");
        }
        const sets = `KUBE-SRC-A OTHER KUBE-SRC-${both} KUBE-DST-${both}`;
        command("ipset", `#!/bin/sh\n[ $1 = list ] && printf '%s\\n' ${sets} || echo "$*" >> ${folder}/sets\n`);
        const env = { PATH: `${folder}:/usr/bin:/bin` };
        execFileSync(join(folder, script), ["--wait", "-T", "filter"], {
            input,
            env,
            stdio: ["pipe", "pipe", "ignore"],
        });
        return readFileSync(join(folder, `${script.startsWith("ip6") ? "ip6" : "ip"}tables-restored`), "utf8");
    }

    const saved = `*filter
:INPUT ACCEPT [0:0]
:KUBE-SERVICES - [0:0]
:KUBE-ROUTER-INPUT - [0:0]
:KUBE-POD-FW-OLD - [0:0]
-A INPUT -m comment --comment "kube-router netpol - X" -j KUBE-ROUTER-INPUT
-A INPUT -j KUBE-SERVICES
-A KUBE-SERVICES -d 10.3.0.7/32 -j REJECT
-A KUBE-ROUTER-INPUT -s 10.2.0.2/32 -j KUBE-POD-FW-OLD
COMMIT
`;

    it("restore only its own chains, so that nothing of other programs is undone", () => {
        const input = saved.replaceAll("POD-FW-OLD", "POD-FW-NEW").replace("10.3.0.7", "10.3.0.8");
        assert.equal(
            restored("iptables-restore", saved, input),
            `--noflush --wait -T filter
*filter
:KUBE-ROUTER-INPUT - [0:0]
:KUBE-POD-FW-NEW - [0:0]
:KUBE-POD-FW-OLD - [0:0]
-A KUBE-ROUTER-INPUT -s 10.2.0.2/32 -j KUBE-POD-FW-NEW
-X KUBE-POD-FW-OLD
COMMIT
`,
        );
    });

    it("keep commands for its BGP server on the node, and routes of pods from it and from other nodes", () => {
        const { "guard-bgp": script } = manifests({ cni: "kube-router", podCidr: "10.4.0.0/16" }).find(
            ({ kind }) => kind === "ConfigMap",
        )!.data as Record<string, string>;
        assertShell(script!);
        writeFileSync(join(folder, "guard-bgp"), script!, { mode: 0o755 });
        writeFileSync(join(folder, "nft"), `#!/bin/sh\ncat >${folder}/rules\n`, { mode: 0o755 });
        execFileSync(join(folder, "guard-bgp"), { env: { PATH: `${folder}:/usr/bin:/bin` } });
        const rules = readFileSync(join(folder, "rules"), "utf8");
        const own = "fib daddr type local";
        for (const rule of [
            `${own} iifname != "lo" tcp dport 50051 counter drop`,
            `${own} iifname "cni0" tcp dport 179 counter drop`,
            `${own} ip saddr 10.4.0.0/16 tcp dport 179 counter drop`,
            `${own} iifname "tun-*" ip saddr != 10.4.0.0/16 counter drop`,
            // Pods have their node's address there.
            `iifname "cni0" oifname != "cni0" oifname != "flannel*" oifname != "tun-*" tcp dport { 179, 50051 } counter drop`,
            `iifname "cni0" udp dport 8472 counter drop`,
            `iifname "cni0" oifname != "cni0" oifname != "flannel*" oifname != "tun-*" udp dport 8472 counter drop`,
        ]) {
            assert(rules.includes(`\n        ${rule}\n`), rule);
        }
    });

    it("make both ends of tunnels next to flannel's link, before kube-router has routes", function () {
        this.timeout(60_000);
        const files = manifests({ cni: "kube-router" }).find(({ kind }) => kind === "ConfigMap")!.data;
        for (const name of ["ip", "guard-bgp"]) {
            const script = (files as Record<string, string>)[name]!;
            assertShell(script);
            const own = script.replaceAll("/opt/packet-filter", folder).replaceAll("/usr/bin/ip", "ip");
            writeFileSync(join(folder, `${name}.sh`), own.replaceAll(`${folder}/ip `, `sh ${folder}/ip.sh `));
        }
        const [own, near, far] = ["10.0.0.33", "10.0.0.32", "10.0.0.2"];
        const scene = `
ip link add eth0 type bridge; ip link set eth0 up; ip address add ${own}/24 dev eth0
ip link add flannel.1 type vxlan id 1 local ${own} dev eth0 dstport 8472 nolearning
ip link set flannel.1 up; ip address add 10.2.7.0/32 dev flannel.1
ip neigh add 10.2.1.0 lladdr 02:f1:0a:00:00:20 dev flannel.1
ip neigh add 10.2.2.0 lladdr 02:f1:0a:00:00:02 dev flannel.1
. ${folder}/guard-bgp.sh
ip -d -o link show type vxlan; ip -4 -o address`;
        writeFileSync(join(folder, "nft"), '#!/bin/sh\n[ "$1" != -f ] || cat >/dev/null\n', { mode: 0o755 });
        const env = { PATH: `/usr/sbin:/sbin:/usr/bin:/bin`, NODE_IP: own };
        const shown = execFileSync(
            "unshare",
            ["--map-root-user", "--net", "sh", "-euc", `PATH=${folder}:$PATH\n${scene}`],
            {
                env,
                encoding: "utf8",
            },
        );
        // kube-router's name of a tunnel, and a number that flannel does not have.
        for (const [peer, id] of [
            [near, 0],
            [far, 35],
        ] as const) {
            const name = `tun-${createHash("sha256").update(peer.replaceAll(".", "")).digest("hex").slice(0, 11)}`;
            assert.match(
                shown,
                new RegExp(` ${name}: <.*\\bUP\\b.*vxlan id ${id} remote ${peer} local ${own} `),
                shown,
            );
            assert.match(shown, new RegExp(` ${name} +inet 10\\.2\\.7\\.1/32 `), shown);
        }
    });

    it("apply no rule for egress of a policy to traffic that its pods receive, and none for ingress to what they send", () => {
        const input = `*filter
:KUBE-POD-FW-NEW - [0:0]
:KUBE-NWPLCY-BOTH - [0:0]
-A KUBE-NWPLCY-BOTH -m comment --comment "pods" -m set --match-set KUBE-SRC-${other} src -m set --match-set KUBE-DST-${both} dst -j MARK
-A KUBE-NWPLCY-BOTH -m comment --comment "pods" -m set --match-set KUBE-SRC-${both} src -m set --match-set KUBE-DST-${other} dst -j MARK
-I KUBE-POD-FW-NEW 1 -d 10.2.0.2 -m comment --comment "run through nw policy one" -j KUBE-NWPLCY-ONE${" "}
-I KUBE-POD-FW-NEW 1 -m comment --comment "run through nw policy both" -j KUBE-NWPLCY-BOTH${" "}
-I KUBE-POD-FW-NEW 1 -m comment --comment "local" -m addrtype --src-type LOCAL -d 10.2.0.2 -j ACCEPT${" "}
COMMIT
`;
        const text = restored("iptables-restore", ":KUBE-NWPOUT-OLD - [0:0]\n", input);
        assert.deepEqual(
            text.match(/^:.*$/gm)!.sort(),
            ["NWPLCY-BOTH", "NWPOUT-BOTH", "NWPOUT-OLD", "POD-FW-NEW"].map((name) => `:KUBE-${name} - [0:0]`),
        );
        assert.deepEqual(text.match(/^-[^-].*[^ \n]/gm), [
            `-A KUBE-NWPLCY-BOTH -m comment --comment "pods" -m set --match-set KUBE-SRC-${other} src -m set --match-set KUBE-DST-${both} dst -j MARK`,
            `-A KUBE-NWPOUT-BOTH -m comment --comment "pods" -m set --match-set KUBE-SRC-${both} src -m set --match-set KUBE-DST-${other} dst -j MARK`,
            '-I KUBE-POD-FW-NEW 1 -d 10.2.0.2 -m comment --comment "run through nw policy one" -j KUBE-NWPLCY-ONE',
            '-I KUBE-POD-FW-NEW 1 -m comment --comment "run through nw policy both" -d 10.2.0.2 -j KUBE-NWPLCY-BOTH',
            '-I KUBE-POD-FW-NEW 1 -m comment --comment "run through nw policy both" -s 10.2.0.2 -j KUBE-NWPOUT-BOTH',
            '-I KUBE-POD-FW-NEW 1 -m comment --comment "local" -m addrtype --src-type LOCAL -d 10.2.0.2 -j ACCEPT',
            "-X KUBE-NWPOUT-OLD",
        ]);
    });

    it("name sets of IPv6 addresses as kube-router creates them", () => {
        const input = `:KUBE-NWPLCY-ONE - [0:0]
-A KUBE-NWPLCY-ONE -m set --match-set KUBE-SRC-${other} src -m set --match-set KUBE-DST-${both} dst -j MARK
`;
        const named = (set: string) => `--match-set inet6:KUBE-${set}`;
        assert.match(
            restored("ip6tables-restore", "", input),
            new RegExp(`-m set ${named("SRC")}-${other} src -m set ${named("DST")}-${both} dst -j MARK`),
        );
        assert.doesNotMatch(restored("iptables-restore", "", input), /inet6/);
    });

    it("hide sets from kube-router if there are two IP families, and delete those without a rule", () => {
        assert.equal(scripts.ipset, undefined);
        const own = join(folder, "own");
        mkdirSync(own);
        writeFileSync(join(own, "ipset"), scriptsOf(dualStack).ipset!, { mode: 0o755 });
        const used = `KUBE-SRC-${both}`;
        const ipset = `#!/bin/sh
case "$1 $2" in
"list -n") printf '%s\\n' KUBE-DST-A inet6:KUBE-SRC-B ${used} OTHER ;;
"destroy ${used}") exit 1 ;;
*) echo "$*" >> ${folder}/calls ;;
esac
`;
        writeFileSync(join(folder, "ipset"), ipset, { mode: 0o755 });
        const run = (...args: string[]) =>
            execFileSync("ipset", args, { env: { PATH: `${own}:${folder}:/usr/bin:/bin` }, encoding: "utf8" });
        assert.equal(run("save"), "");
        run("restore", "-exist");
        assert.equal(
            readFileSync(join(folder, "calls"), "utf8"),
            "destroy KUBE-DST-A\ndestroy inet6:KUBE-SRC-B\nrestore -exist\n",
        );
    });

    it("clear a node of its chains, jumps and sets, and of nothing else", () => {
        const text = restored("clear", saved);
        assert.match(text, /^-D INPUT -m comment --comment "kube-router netpol - X" -j KUBE-ROUTER-INPUT$/m);
        assert.deepEqual(text.match(/^-X .*$/gm)!.sort(), ["-X KUBE-POD-FW-OLD", "-X KUBE-ROUTER-INPUT"]);
        assert.doesNotMatch(text, /SERVICES/);
        assert.equal(
            readFileSync(join(folder, "sets"), "utf8"),
            ["SRC-A", `SRC-${both}`, `DST-${both}`].map((name) => `destroy KUBE-${name}\n`).join(""),
        );
    });
});
