import assert from "node:assert/strict";
import { bundleAgent } from "../../../../bundling/agents";
import { type Manifest, manifestKey } from "../../../../cluster/manifest";
import { localStorage } from "../../../../cluster/manifests/addons/local-storage";
import { upgradeGuard } from "../../../../cluster/manifests/control-plane/upgrade-guard";
import { etcdKeeper } from "../../../../cluster/manifests/etcd/etcd-keeper";
import { metricsProxy } from "../../../../cluster/manifests/metrics-proxy";
import { servingApprover, servingMachines } from "../../../../cluster/manifests/nodes/serving-approver";
import { paths } from "../../../../cluster/paths";
import { resolveCluster } from "../../../../cluster/resolve";
import { LocalCluster, type LocalClusterArgs } from "../../../../components/local/cluster";
import { type Bundle, diffable, parse } from "../../../../ignition";
import { type Deployed, deploy, resolved } from "../../deploy";
import { downloads, dualStack } from "../in-cluster/fixture";
import { providerOutputs } from "../in-cluster/provider-outputs";
import { unpacked } from "../in-cluster/unpacked";

const args: LocalClusterArgs = { machineCidr: "192.0.2.0/24", downloads };
const outputs = { outputs: providerOutputs };

function createCluster(options: Partial<LocalClusterArgs>) {
    return deploy(() => new LocalCluster("c", { ...args, ...options }), outputs);
}

describe("a local cluster with IPv6", function () {
    this.timeout(60_000);

    it("has machines with an IPv6 address, which their kubelets use, in the network's IPv6 block", async () => {
        const { resources } = await createCluster({ network: dualStack });
        const { inputs } = resources.find(({ name }) => name === "c-controller-0")!;
        assert.match(inputs.create, / --address 192\.0\.2\.11 --address6 fd74:7264:c000:200::b --os ignition$/);
        assert.match(
            diffable(parse(inputs.stdin))["kubelet.service"]!,
            / --node-ip=192\.0\.2\.11,fd74:7264:c000:200::b \\$/m,
        );
        const network = resources.find(({ name }) => name === "c-network")!;
        assert.match(network.inputs.create, / --subnet 192\.0\.2\.0\/24 --subnet6 fd74:7264:c000:200::\/64 /);
    });
});

describe("a local cluster with another flag", () => {
    const refused = { components: { kubeScheduler: { nonsense: "1" } } };

    it("is refused before anything is made, where its version does not have it", async () => {
        await assert.rejects(
            createCluster(refused),
            /^Error: c can't have these flags:\n.*kube-scheduler 1\.\d+ \(got/,
        );
    });

    it("is warned of where that is overridden", async () => {
        const told: string[] = [];
        const { warn } = console;
        console.warn = (message: string) => told.push(message);
        try {
            await createCluster({ ...refused, upgradeOverrides: ["flags"] });
        } finally {
            console.warn = warn;
        }
        assert.match(
            told.join("\n"),
            /kubeScheduler\.nonsense must be .* \(got nonsense\) \(upgradeOverrides: flags\)/,
        );
    }).timeout(60_000);
});

describe("a local cluster's likeness to clouds", function () {
    this.timeout(60_000);
    const zones = (resources: readonly Deployed[]) =>
        resources.flatMap(({ name, inputs }) => {
            if (!/^c-(controller|worker)-\d$/.test(name) || !inputs.stdin) return [];
            const [, zone] =
                /topology\.kubernetes\.io\/zone=([\w-]+)/.exec(diffable(parse(inputs.stdin))["kubelet.service"]!) ?? [];
            return [[name, zone]];
        });
    const storageClasses = (resources: readonly Deployed[]) =>
        resources.filter(({ type }) => type.endsWith(":StorageClass")).map(({ inputs }) => inputs.metadata.name);
    const options = { workerPools: [{ name: "worker", count: 2 }] };

    it("has zones and a storage class", async () => {
        const { resources } = await createCluster(options);
        assert.deepEqual(zones(resources), [
            ["c-controller-0", "local-a"],
            ["c-worker-0", "local-a"],
            ["c-worker-1", "local-b"],
        ]);
        assert.deepEqual(storageClasses(resources), ["local"]);
    });

    it("has neither where both are turned off", async () => {
        const { resources } = await createCluster({ ...options, zones: [], storageClass: false });
        assert.deepEqual(
            zones(resources).map(([, zone]) => zone),
            [undefined, undefined, undefined],
        );
        assert.deepEqual(storageClasses(resources), []);
    });
});

describe("a local cluster of one controller and one worker", function () {
    this.timeout(60_000);
    let cluster: LocalCluster;
    let resources: Deployed[];
    const named = (name: string, type = "") =>
        resources.find((resource) => resource.name === name && resource.type.includes(type))!;
    const ofType = (type: string) => resources.filter((resource) => resource.type === type);
    const inCluster = () => resources.filter(({ type }) => /^kubernetes:(?!index|yaml)/.test(type));

    before(async () => {
        ({ result: cluster, resources } = await createCluster({ workerPools: [{ name: "worker" }] }));
    });

    it("is a network, a load balancer, two machines, their tokens' ends and the start of the cluster", () => {
        assert.deepEqual(
            ofType("command:local:Command").map(({ name }) => name),
            [
                "c-token-lifetime-controller-0",
                "c-token-lifetime-worker-0",
                "c-network",
                "c-load-balancer",
                "c-controller-0",
                "c-worker-0",
                "c-bootstrap",
            ],
        );
    });

    it("gives every resource a unique name", () => {
        const names = resources.map(({ type, name }) => `${type}::${name}`);
        assert.equal(new Set(names).size, names.length);
    });

    it("makes machines in the network, and starts the cluster on the first", () => {
        assert.deepEqual(named("c-controller-0").dependsOn, ["c-network"]);
        assert.deepEqual(named("c-worker-0").dependsOn, ["c-network"]);
        assert.deepEqual(named("c-load-balancer").dependsOn, ["c-network"]);
        assert.deepEqual(named("c-bootstrap").dependsOn, ["c-controller-0", "c-load-balancer"]);
    });

    it("does not use the API before the pivot", () => {
        assert.deepEqual(named("c", "pulumi:providers:kubernetes").dependsOn, ["c-bootstrap"]);
        for (const { name, opts } of inCluster()) assert.ok(opts.provider, name);
    });

    it("names the context, cluster and user of its kubeconfig after the cluster", async () => {
        const text = await resolved(cluster.kubeconfig);
        const { clusters, contexts, users, "current-context": current } = JSON.parse(text);
        assert.deepEqual([clusters[0].name, current, contexts[0].name, users[0].name], ["c", "c", "c", "c-admin"]);
    });

    it("has another provider for resources of the program's own, if it asks for it, after everything else", async () => {
        const ofUsers = (all: readonly Deployed[]) =>
            all.filter(({ name, type }) => type === "pulumi:providers:kubernetes" && name === "c-workloads");
        assert.deepEqual(ofUsers(resources), []);
        const { result, resources: all } = await deploy(() => {
            const asking = new LocalCluster("c", { ...args, workerPools: [{ name: "worker" }] });
            assert.equal(asking.provider, asking.provider);
            return asking;
        }, outputs);
        const [provider, ...others] = ofUsers(all);
        assert.deepEqual(others, []);
        const { kubeconfig, ...inputs } = provider!.inputs;
        assert.equal(JSON.parse(kubeconfig)["current-context"], "c");
        assert.deepEqual(inputs, { clusterIdentifier: "c.tradewind.internal" });
        assert.equal(result.clusterIdentifier, "c.tradewind.internal");
        for (const name of ["c-bootstrap", "c/deployment/kube-system/coredns"]) {
            assert.ok(provider!.dependsOn.includes(name), `${name}: ${provider!.dependsOn.join()}`);
        }
    });

    it("configures the provider to adopt what the bootstrap created", () => {
        const { kubeconfig, ...inputs } = named("c", "pulumi:providers:kubernetes").inputs;
        assert.match(kubeconfig, /"c-admin"/);
        assert.deepEqual(inputs, {
            clusterIdentifier: "c",
            enableConfigMapMutable: "true",
            enableSecretMutable: "true",
            upsertExistingObjects: "true",
            enablePatchForce: "true",
        });
    });

    it("deletes everything in the cluster with the network, without contacting a dead API", async () => {
        for (const { name, opts } of inCluster()) {
            assert.match(await resolved(opts.deletedWith!.urn), /::c-network$/, name);
        }
    });

    it("marks what is secret", () => {
        assert.deepEqual(named("c-controller-0").secretInputs, ["stdin"]);
        assert.deepEqual(named("c-worker-0").secretInputs, ["stdin"]);
        assert.deepEqual(named("c-bootstrap").secretInputs, ["stdin"]);
        assert.deepEqual(named("c", "pulumi:providers:kubernetes").secretInputs, ["kubeconfig"]);
        for (const { name, secretInputs } of ofType("kubernetes:core/v1:Secret")) {
            assert.deepEqual(secretInputs, ["data"], name);
        }
    });

    it("hides nothing else in a preview", () => {
        for (const { name, type, secretInputs } of inCluster()) {
            if (type !== "kubernetes:core/v1:Secret") assert.deepEqual(secretInputs, [], name);
        }
    });

    it("does not replace a machine for a changed config, and records it for a replacement", () => {
        const { inputs, opts } = named("c-controller-0");
        assert.deepEqual([inputs.triggers, inputs.update, opts.ignoreChanges], [undefined, undefined, undefined]);
    });

    it("makes each machine's token valid until it expires, and boots the machine with it", () => {
        for (const node of ["c-controller-0", "c-worker-0"]) {
            const { data } = named(`c/bootstrap-token/${node}`).inputs;
            const [id, secret] = ["token-id", "token-secret"].map((key) => Buffer.from(data[key], "base64").toString());
            const { users } = JSON.parse(
                diffable(parse(named(node).inputs.stdin))[paths.bootstrapKubeconfig]!.replace(/^mode.*\n/, ""),
            );
            assert.equal(users[0].user.token, `${id}.${secret}`);
            assert.equal(Buffer.from(data.expiration, "base64").toString(), "2030-01-01T00:00:00Z");
        }
    });

    it("manages exactly what the bootstrap applies, field for field, and what is added later", () => {
        const { entries } = JSON.parse(unpacked(named("c-bootstrap").inputs.stdin)) as Bundle;
        const applied = entries
            .filter(({ path }) => /\/bootstrap\/manifests\/./.test(path))
            .map(({ contents = "" }): Manifest => JSON.parse(Buffer.from(contents, "base64").toString()));
        const cluster = resolveCluster({ name: "c", imageDigests: false });
        const certificate = { metricsProxy: { cert: "", key: "" } };
        const later = [
            ...etcdKeeper(cluster, bundleAgent("etcd-keeper")),
            ...servingApprover(cluster, bundleAgent("serving-approver")),
            servingMachines({}),
            ...metricsProxy(cluster, certificate, bundleAgent("metrics-proxy")),
            ...localStorage(cluster),
            ...upgradeGuard(cluster, bundleAgent("upgrade-guard")),
        ].map(manifestKey);
        const all = inCluster()
            .filter(
                ({ type, name }) =>
                    !/node-removal|desired-nodes|stack-objects|upgrade-soak/.test(name) &&
                    type !== "kubernetes:core/v1:Node",
            )
            .map(({ inputs }): Manifest => inputs as Manifest);
        const isLater = (key: string) => later.includes(key) || /\/node-agent-(controller|worker)/.test(key);
        const owned = all.filter((manifest) => !isLater(manifestKey(manifest)));
        // A ConfigMap and a DaemonSet for each of two pools.
        assert.equal(owned.length, all.length - later.length - 4);
        const byKey = (manifests: Manifest[]) =>
            Object.fromEntries(manifests.map((manifest) => [manifestKey(manifest), withoutExpiration(manifest)]));
        assert.ok(applied.length > 20);
        assert.deepEqual(byKey(owned), byKey(applied));
    });

    it("names its objects by kind, namespace and name", () => {
        assert.ok(named("c/daemonset/kube-system/kube-apiserver"));
        assert.ok(named("c/bootstrap-token/c-worker-0"));
    });

    it("makes only the stack a member of system:masters", () => {
        const masters = ofType("tls:index/certRequest:CertRequest").filter(({ inputs }) =>
            JSON.stringify(inputs.subject).includes("system:masters"),
        );
        assert.deepEqual(
            masters.map(({ name }) => name),
            ["c-kubernetes-admin"],
        );
    });

    it("makes keys on a curve that Go's TLS has, each for one use", () => {
        const keys = ofType("tls:index/privateKey:PrivateKey");
        for (const { name, inputs } of keys) {
            assert.deepEqual(inputs, { algorithm: "ECDSA", ecdsaCurve: "P256" }, name);
        }
        for (const { name, inputs } of ofType("tls:index/locallySignedCert:LocallySignedCert")) {
            const isServer = inputs.allowedUses.includes("server_auth");
            assert.equal(isServer, /kube-apiserver$|metrics-proxy$|etcd-c-/.test(name), name);
        }
    });

    it("renews no certificate while it is valid, since that would change with the date", () => {
        for (const { name, inputs } of resources.filter(({ type }) => type.startsWith("tls:"))) {
            assert.equal(inputs.earlyRenewalHours, undefined, name);
        }
    });

    it("names the API by every address that people and nodes use", () => {
        const { dnsNames, ipAddresses } = named("c-kube-apiserver", "CertRequest").inputs;
        assert.ok(dnsNames.includes("api.c.tradewind.internal"));
        assert.deepEqual(ipAddresses, ["10.3.0.1", "127.0.0.1", "192.0.2.11", "192.0.2.3"]);
    });

    it("gives back what a person needs", async () => {
        assert.equal(cluster.apiUrl, "https://192.0.2.3:6443");
        assert.deepEqual(cluster.nodes, ["c-controller-0", "c-worker-0"]);
        assert.equal(await resolved(cluster.ca), "c-kubernetes-ca cert");
        const kubeconfig = JSON.parse(await resolved(cluster.kubeconfig));
        assert.equal(kubeconfig.clusters[0].cluster.server, cluster.apiUrl);
        const expiry = await resolved(cluster.certificateExpiry);
        assert.equal(Object.keys(expiry).length, ofType("tls:index/locallySignedCert:LocallySignedCert").length + 3);
    });

    it("owns the first controller's role, and admits no further one", () => {
        assert.deepEqual(named("c/node/c-controller-0").inputs.metadata.labels, {
            "app.kubernetes.io/managed-by": "tradewind",
            "node-role.kubernetes.io/control-plane": "",
        });
        assert.deepEqual(
            resources.filter(({ name }) => name.includes("etcd-join")),
            [],
        );
    });
});

describe("a local cluster of three controllers and two workers", function () {
    this.timeout(60_000);
    let resources: Deployed[];
    const named = (name: string) => resources.find((resource) => resource.name === name)!;
    const commands = () => resources.filter(({ type }) => type === "command:local:Command");

    before(async () => {
        const workerPools = [{ name: "a" }, { name: "b" }];
        ({ resources } = await createCluster({ controllers: { count: 3 }, workerPools }));
    });

    it("has a machine for each, at fixed addresses", () => {
        const machines = commands().filter(({ inputs }) => inputs.create.includes(" machine create "));
        assert.deepEqual(
            machines.map(({ name, inputs }) => [name, /--address (\S+)/.exec(inputs.create)![1]]),
            [
                ["c-controller-0", "192.0.2.11"],
                ["c-controller-1", "192.0.2.12"],
                ["c-controller-2", "192.0.2.13"],
                ["c-a-0", "192.0.2.32"],
                ["c-b-0", "192.0.2.64"],
            ],
        );
    });

    it("balances the API over all controllers", () => {
        assert.match(named("c-load-balancer").inputs.create, /--backends 192\.0\.2\.11,192\.0\.2\.12,192\.0\.2\.13$/);
    });

    it("can only be started by one resource: no machine's config has the keys", () => {
        const machines = commands().filter(({ inputs }) => inputs.create.includes(" machine create "));
        assert.equal(machines.length, 5);
        for (const { name, inputs } of machines) {
            const texts = Object.values(diffable(parse(inputs.stdin))).join("");
            assert.doesNotMatch(texts, / key"?|bootstrap\.service/, name);
        }
        assert.match(named("c-bootstrap").inputs.create, / bootstrap run --cluster c --name c-controller-0$/);
        assert.match(unpacked(named("c-bootstrap").inputs.stdin), /bootstrap\.service/);
    });

    it("takes controllers out of the load balancer before it removes their nodes", () => {
        const { dependsOn, opts } = named("c/job/kube-system/node-removal");
        assert.ok(dependsOn.includes("c-load-balancer"));
        assert.ok(dependsOn.includes("c/configmap/kube-system/node-removal"));
        assert.equal(opts.deleteBeforeReplace, true);
    });

    it("takes along nothing in the cluster when a machine is replaced: its provider is not there yet then", () => {
        for (const { name, opts } of resources) assert.equal(opts.replaceWith, undefined, name);
    });

    it("has a pod on every controller that admits a replaced machine", () => {
        for (const index of [0, 1, 2]) assert.ok(named(`c/deployment/kube-system/etcd-join-c-controller-${index}`));
    });

    it("admits the others to etcd one after another, and makes them controllers only then", () => {
        const join = (index: number) => named(`c/deployment/kube-system/etcd-join-c-controller-${index}`);
        assert.ok(join(1).dependsOn.includes("c-controller-1"));
        assert.deepEqual(named("c/node/c-controller-1").dependsOn, [
            "c/deployment/kube-system/etcd-join-c-controller-1",
        ]);
        assert.ok(join(2).dependsOn.includes("c/node/c-controller-1"));
        assert.ok(!join(1).dependsOn.includes("c/node/c-controller-0"));
    });

    it("has a certificate for every etcd member, and a token for every machine", () => {
        const names = resources.map(({ name }) => name);
        for (const index of [0, 1, 2]) assert.ok(names.includes(`c-etcd-c-controller-${index}`));
        const machines = ["c-controller-0", "c-controller-1", "c-controller-2", "c-a-0", "c-b-0"];
        for (const node of machines) assert.ok(names.includes(`c/bootstrap-token/${node}`), node);
    });
});

describe("a preview of a local cluster", function () {
    this.timeout(60_000);

    it("shows every resource that an update makes, with nothing known of the PKI", async () => {
        const program = () =>
            new LocalCluster("c", { ...args, controllers: { count: 3 }, workerPools: [{ name: "a" }] });
        const identity = ({ type, name }: Deployed) => `${type}::${name}`;
        const preview = await deploy(program, { isPreview: true });
        const update = await deploy(program, outputs);
        assert.deepEqual(preview.resources.map(identity).sort(), update.resources.map(identity).sort());
    });
});

describe("the form of a machine's configuration", function () {
    this.timeout(60_000);

    it("is in cloud-init's format if configured", async () => {
        const { resources } = await createCluster({ os: "cloud-init" });
        const { inputs } = resources.find(({ name }) => name === "c-controller-0")!;
        assert.match(inputs.stdin, /^#cloud-config\n/);
        assert.match(inputs.create, /--os cloud-init/);
    });
});

describe("a local cluster is refused, before any resource is registered,", function () {
    this.timeout(60_000);
    const link = (path: string) =>
        JSON.stringify({ ignition: { version: "3.5.0" }, storage: { links: [{ path, target: "/data" }] } });
    const refused: [string, Partial<LocalClusterArgs>, RegExp][] = [
        ["with an unknown os", { os: "windows" }, /^os must be one of ignition, cloud-init \(got windows\)$/],
        [
            "with machines among the pods",
            { machineCidr: "10.2.7.0/24" },
            /^machineCidr must not overlap network\.podCidr 10\.2\.0\.0\/16 and .* \(got 10\.2\.7\.0\/24\)$/,
        ],
        [
            "with machines among the services",
            { machineCidr: "10.3.0.0/16" },
            /^machineCidr must not overlap .* network\.serviceCidr 10\.3\.0\.0\/16 \(got 10\.3\.0\.0\/16\)$/,
        ],
        [
            "with host bits set",
            { machineCidr: "192.0.2.1/24" },
            /^machineCidr must have no host bits set .*192\.0\.2\.0\/24/,
        ],
        ["with too few addresses", { machineCidr: "192.0.2.0/25" }, /^machineCidr must be a \/24 or larger/],
        [
            "with more workers than addresses",
            { workerPools: [{ name: "a", count: 250 }], network: { podCidr: "10.128.0.0/9" } },
            /^workerPools\[0\]\.count must be at most 31 in a machineCidr of 192\.0\.2\.0\/24 \(got 250\)$/,
        ],
        ["with an even number of controllers", { controllers: { count: 2 } }, /^controllers\.count must be 1, 3 or 5/],
        [
            "with a controllers' snippet that does not fit the generated config",
            { controllers: { snippets: [link("/etc/kubernetes")] } },
            /^controllers\.snippets must fit the generated config: /,
        ],
        [
            "with a pool's snippet that does not fit the generated config",
            { workerPools: [{ name: "a", snippets: [link("/etc/containerd")] }] },
            /^workerPools\[0\]\.snippets must fit the generated config: /,
        ],
    ];
    for (const [what, options, message] of refused) {
        it(what, async () => {
            let error: Error | undefined;
            const { resources } = await deploy(() => {
                try {
                    new LocalCluster("c", { ...args, ...options });
                } catch (thrown) {
                    error = thrown as Error;
                }
            });
            assert.match(error?.message ?? "nothing was thrown", message);
            const made = resources.filter(
                ({ type }) => !/^(pulumi:pulumi:Stack|tradewind:index:LocalCluster)$/.test(type),
            );
            assert.deepEqual(made, []);
        });
    }
});

/** The bootstrap sets a token's expiry when it applies it, Pulumi when it creates the machines. */
function withoutExpiration({ data, ...manifest }: Manifest): object {
    const { expiration, ...rest } = (data ?? {}) as Record<string, unknown>;
    return { ...manifest, ...(data !== undefined && { data: rest }) };
}
