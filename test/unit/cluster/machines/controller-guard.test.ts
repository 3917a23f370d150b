import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { system } from "../../../../cluster/machines/system";
import { diffable } from "../../../../ignition";
import { downloads, dualStack, fixedCluster } from "../../components/in-cluster/fixture";
import { assertShell } from "../../components/in-cluster/shell";

const address = "192.0.2.1";

/**
 * Answers on the ports, then tries each from a pod of another node, and from the node itself.
 *
 * The kernel says of each refused packet that it refused it, as it does not limit these messages here. So a port that
 * only answers late on a busy machine does not count as refused.
 */
const scene = `
ip link set lo up
echo 0 >/proc/sys/net/ipv4/icmp_ratelimit
unshare -n sleep 60 & other=$!
while [ "$(readlink /proc/$other/ns/net)" = "$(readlink /proc/self/ns/net)" ]; do sleep 0.05; done
ip link add flannel.1 type veth peer name eth0 netns $other
ip addr add ${address}/32 dev lo
ip link set flannel.1 up
ip route add 10.4.1.0/24 dev flannel.1
nsenter -t $other -n sh -c 'ip link set eth0 up; ip addr add 10.4.1.5/24 dev eth0; ip route add ${address}/32 dev eth0'
touch "$folder/listening"
node -e '
for (const port of [22, 2379, 2380, 2381, 6443, 10250]) require("net").createServer((each) => each.end()).listen(port, () => console.error(port));
' 2>"$folder/listening" & server=$!
while [ "$(wc -l <"$folder/listening")" -lt 6 ]; do sleep 0.05; done
try='
for (const port of [22, 2379, 2380, 2381, 6443, 10250]) {
    const socket = require("net").connect({ host: "${address}", port, timeout: 20_000 });
    const end = (what) => () => { console.log(port + " " + what); socket.destroy(); };
    socket.on("connect", end("reached")).on("error", ({ code }) => end(code === "EHOSTUNREACH" ? "refused" : code)()).on("timeout", end("silent"));
}'
for times in $TIMES; do . "$folder/node-routes"; done
echo "pod: $(nsenter -t $other -n node -e "$try" | sort -n | xargs)"
echo "node: $(node -e "$try" | sort -n | xargs)"
ip rule
kill $server $other
`;

describe("a controller's rules for the pod network", () => {
    const network = { podCidr: "10.4.0.0/16", serviceCidr: "10.5.0.0/16" };
    const machine = { name: "c-controller-0", address };
    const scriptOf = (options: object, isController = true) =>
        diffable(system(fixedCluster(options), machine, downloads.cniPlugins, isController))[
            "/opt/tradewind/bin/node-routes"
        ]!.replace(/^mode.*\n/, "");
    let folder: string;
    beforeEach(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-guard-"));
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    /** In a network namespace of its own, with the kernel's own rules. */
    const tryPorts = (script: string, times = 1) => {
        writeFileSync(join(folder, "node-routes"), script);
        const env = { ...process.env, folder, TIMES: Array.from({ length: times }, String).join(" ") };
        return execFileSync("unshare", ["--map-root-user", "--net", "sh", "-eu", "-c", scene], {
            env,
            encoding: "utf8",
        }).split("\n");
    };

    it("refuse etcd's ports and SSH to it, and nothing else, also after another run", function () {
        this.timeout(60_000);
        for (const times of [1, 2]) {
            const [pod, node, ...rules] = tryPorts(scriptOf({ network }), times);
            assert.equal(pod, "pod: 22 refused 2379 refused 2380 refused 2381 refused 6443 reached 10250 reached");
            assert.equal(
                node,
                `node: ${[22, 2379, 2380, 2381, 6443, 10250].map((port) => `${port} reached`).join(" ")}`,
            );
            assert.equal(rules.filter((line) => /prohibit/.test(line)).length, 9, rules.join("\n"));
            assert.equal(rules.filter((line) => /lookup local/.test(line)).length, 1, rules.join("\n"));
        }
    });

    it("are the same for each CNI, because it can change", () => {
        for (const cni of ["kube-router", "none"])
            assert.equal(scriptOf({ network: { ...network, cni } }), scriptOf({ network }));
    });

    it("know packets of another CNI by the addresses of pods, whatever link they arrive on", function () {
        this.timeout(60_000);
        const script = scriptOf({ network }).replaceAll("flannel.1", "other");
        assertShell(script);
        const [pod, node] = tryPorts(script, 2);
        assert.equal(pod, "pod: 22 refused 2379 refused 2380 refused 2381 refused 6443 reached 10250 reached");
        assert.doesNotMatch(node!, /refused/);
        const both = scriptOf({ network: { ...network, ...dualStack, cni: "none" } });
        assertShell(both);
        assert.match(both, /"from \$\(\[ \$family = -4 \] && echo 10\.4\.0\.0\/16 \|\| echo fd00:10:2::\/56\)"; do/);
    });

    it("let it reach them without the option", function () {
        this.timeout(60_000);
        const [pod] = tryPorts(scriptOf({ network: { ...network, controllerGuard: false } }));
        assert.match(pod!, /^pod: 22 reached 2379 reached/);
    });

    it("are for IPv6 too if pods have it, and only on controllers", () => {
        const both = scriptOf({ network: { ...network, ...dualStack } });
        assertShell(both);
        assert.match(both, /^for family in -4 -6; do$/m);
        assert.doesNotMatch(scriptOf({ network }, false), /family/);
    });
});
