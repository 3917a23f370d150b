import assert from "node:assert/strict";
import { isReady, type Pod } from "../../../clients/kubernetes/objects";
import { images } from "../../../versions/images";
import { describeLong } from "../../takes-long";
import { eventually } from "../cluster";
import { controllerTargets } from "../rollout";
import { shared, sharedCluster } from "../shared";
import { underProber } from "../under-prober";
import { WorkloadAsker } from "../workload-asker";

const controller = `${shared.name}-controller-0`;
const [near, far] = [0, 1].map((index) => `${shared.name}-default-${index}`) as [string, string];
const namespace = "policies";
const inNamespace = ["-n", namespace];

/** Each serves HTTP and can send requests; those called `far…` are on the other node. */
const pods = { server: near, friend: near, stranger: near, farFriend: far, farStranger: far } as const;
type Name = keyof typeof pods;

const roleOf = (name: Name) => name.replace("far", "").toLowerCase();
const command = ["node", "-e", 'require("http").createServer((_, to) => to.end("ok")).listen(8080, "::")'];

const pod = (name: Name) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: name.toLowerCase(), namespace, labels: { role: roleOf(name) } },
    spec: {
        nodeName: pods[name],
        terminationGracePeriodSeconds: 0,
        containers: [
            {
                name: "one",
                image: images.node,
                command,
                readinessProbe: { httpGet: { path: "/", port: 8080 }, periodSeconds: 1 },
            },
        ],
    },
});

const policy = (name: string, role: string, spec: object) => ({
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name, namespace },
    spec: { podSelector: { matchLabels: { role } }, ...spec },
});

const denyAll = policy("deny", "server", { policyTypes: ["Ingress"] });
const allowFriends = policy("allow-friends", "server", {
    ingress: [{ from: [{ podSelector: { matchLabels: { role: "friend" } } }], ports: [{ port: 8080 }] }],
});

/** Restricts all pods in both directions, but for what is given. */
const inBoth = (rules: object) =>
    policy("both", "any", { podSelector: {}, policyTypes: ["Ingress", "Egress"], ...rules });

const nodePort = 30_083;
/** No policy selects its pods. */
const service = {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "strangers", namespace },
    spec: { type: "NodePort", selector: { role: "stranger" }, ports: [{ port: 8080, nodePort }] },
};

/** What is on a node of rules and sets. */
const packetFilter =
    "iptables-save; ip6tables-save; iptables-legacy-save 2>/dev/null; ipset list -n 2>/dev/null || true";
const ofPolicies = /KUBE-(ROUTER|POD-FW|NWPLCY|NWPOUT|SRC|DST)-|-i cni0 -d fe80::/;

describe("network policies", function () {
    this.timeout(180_000);
    const addresses: Partial<Record<Name, string>> = {};

    before(async function () {
        this.timeout(600_000);
        await sharedCluster();
        await shared.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
        await eventually("service account", () => shared.kubectl(...inNamespace, "get", "serviceaccount", "default"));
        const names = Object.keys(pods) as Name[];
        await shared.apply({ apiVersion: "v1", kind: "List", items: names.map(pod) });
        await shared.kubectl(...inNamespace, "wait", "--for=condition=Ready", "pod", "--all", "--timeout=90s");
        for (const name of names) {
            const { status } = await shared.get<{ status: { podIP: string } }>(
                ...inNamespace,
                "pod",
                name.toLowerCase(),
            );
            addresses[name] = status.podIP;
        }
    });

    after(() => shared.kubectl("delete", "namespace", namespace, "--ignore-not-found"));

    /** Whether a connection is established; refused by a rule, or by none within two seconds, it is not. */
    async function connects(from: Name, host: string): Promise<boolean> {
        const program = `const s = require("net").connect(8080, "${host}"); s.setTimeout(2000, () => end("no"));
            s.on("connect", () => end("yes")).on("error", () => end("no"));
            function end(word) { console.log(word); process.exit(); }`;
        const answer = await shared.kubectl(...inNamespace, "exec", from.toLowerCase(), "--", "node", "-e", program);
        return answer.trim() === "yes";
    }

    const reach = (from: Name, to: Name) => connects(from, addresses[to]!);

    /** Waits until exactly these of the others reach the server, and they still do a moment later. */
    async function reachServer(...expected: Name[]): Promise<void> {
        const others = (Object.keys(pods) as Name[]).filter((name) => name !== "server");
        const now = async () => {
            const answers = await Promise.all(others.map((name) => reach(name, "server")));
            assert.deepEqual(
                others.filter((_, index) => answers[index]),
                expected,
            );
        };
        await eventually(`only ${expected.join(", ") || "none"} to reach the server`, now, 30);
        await now();
    }

    const isServerReady = async () => isReady((await shared.get<Pod>(...inNamespace, "pod", "server")).status);

    it("restrict nothing where there are none", () => reachServer("friend", "stranger", "farFriend", "farStranger"));

    it("restrict both directions, each by its own rules", async () => {
        const reaches = (expected: boolean) =>
            eventually(`the server to respond: ${expected}`, async () =>
                assert.deepEqual(
                    [await reach("friend", "server"), await reach("farFriend", "server")],
                    [expected, expected],
                ),
            );
        const all = { ingress: [{}], egress: [{}] };
        for (const none of [{ ingress: [] }, { egress: [] }]) {
            await shared.apply(inBoth(all));
            await reaches(true);
            await shared.apply(inBoth({ ...all, ...none }));
            await reaches(false);
        }
        await shared.kubectl(...inNamespace, "delete", "networkpolicy", "both");
    });

    it("isolate a pod from those of its own and of other nodes, but not from its kubelet", async () => {
        await shared.apply(denyAll);
        await reachServer();
        assert(await isServerReady());
        assert.match(await shared.exec(near, `curl -s -m 2 http://${addresses.server}:8080/`), /ok/);
    });

    it("isolate a pod from link-local addresses, too", async () => {
        const links = await shared.kubectl(...inNamespace, "exec", "server", "--", "cat", "/proc/net/if_inet6");
        const [, hex] = /^(fe80\w{28}) /m.exec(links) ?? [];
        assert(hex, links);
        const address = `${hex.match(/.{4}/g)!.join(":")}%eth0`;
        assert.equal(await connects("server", address), true, "from the pod itself");
        assert.equal(await connects("stranger", address), false, "from a pod next to it");
    });

    it("let pods with a label pass, from each node", async () => {
        await shared.apply(allowFriends);
        await reachServer("friend", "farFriend");
    });

    it("stay in force while kube-router is killed, and are read again", async () => {
        const [, id] = /^(\d+)$/m.exec(await shared.exec(near, "pgrep -x kube-router"))!;
        await shared.exec(near, `kill -9 ${id}`);
        await reachServer("friend", "farFriend");
        await eventually("kube-router to run again", () => shared.exec(near, "pgrep -x kube-router"), 60);
        await shared.kubectl("-n", "kube-system", "rollout", "status", "daemonset/kube-router", "--timeout=60s");
        await reachServer("friend", "farFriend");
    });

    it("restrict what a pod sends, by address", async () => {
        const to = [{ ipBlock: { cidr: `${addresses.server}/32` } }];
        await shared.apply(policy("egress", "friend", { policyTypes: ["Egress"], egress: [{ to }] }));
        await eventually("egress to be restricted", async () => {
            assert.equal(await reach("farFriend", "stranger"), false);
            assert.equal(await reach("friend", "farStranger"), false);
        });
        await reachServer("friend", "farFriend");
        assert.equal(await reach("stranger", "farStranger"), true);
    });

    it("end when they are deleted", async () => {
        await shared.kubectl(...inNamespace, "delete", "networkpolicy", "--all");
        await reachServer("friend", "stranger", "farFriend", "farStranger");
    });

    it("leave connections to the API and DNS alone", async () => {
        const program =
            'require("dns").resolve4("kubernetes.default.svc.cluster.local", (e, a) => console.log(e ?? a[0]))';
        const address = await shared.kubectl(...inNamespace, "exec", "farstranger", "--", "node", "-e", program);
        assert.equal(address.trim(), "10.3.0.1");
    });

    describeLong("that are turned off", function () {
        this.timeout(1_200_000);

        it("are cleared from every node, then ignored and enforced again, without a lost request", async () => {
            const mode = async (value: string) => {
                await shared.pulumi("config", "set", "tradewind:networkPolicies", value);
                await shared.pulumi("up", "--yes", "--skip-preview");
            };
            const nodes = [controller, near, far];
            const filters = () => Promise.all(nodes.map((node) => shared.exec(node, packetFilter)));
            await shared.apply(denyAll);
            await reachServer();
            for (const text of await filters()) assert.match(text, ofPolicies);
            await shared.apply(service);
            const targets = await controllerTargets(shared, controller);
            const url = `http://${targets[0]!.host}:${nodePort}/`;
            await eventually(url, () => fetch(url));

            const asker = new WorkloadAsker(url);
            try {
                for (const value of ["cleared", "ignored"]) {
                    await underProber(
                        shared,
                        value,
                        async () => targets,
                        () => mode(value),
                    );
                    for (const text of await filters()) assert.doesNotMatch(text, ofPolicies);
                    await reachServer("friend", "stranger", "farFriend", "farStranger");
                }
                assert.doesNotMatch(await shared.kubectl("-n", "kube-system", "get", "daemonsets"), /kube-router/);
            } finally {
                await mode("enforced");
                await shared.pulumi("config", "rm", "tradewind:networkPolicies");
            }
            await reachServer();
            const { requests, failures, longestGap } = await asker.stop();
            console.log(
                `      workload: ${requests} requests, ${failures.length} failed, longest gap ${longestGap} ms`,
            );
            assert.deepEqual(failures, []);
            await shared.pulumi("preview", "--expect-no-changes");
            await shared.kubectl(...inNamespace, "delete", "networkpolicy", "--all");
        });
    });
});
