import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Delivery } from "../../../../agents/bootstrap-sender/delivery";
import type { DigitalOceanCluster } from "../../../../components/digitalocean/cluster";
import { diffable, parse } from "../../../../ignition";
import { types } from "../../../../simulator/clouds/digitalocean/types";
import { simulatorCa } from "../../../../simulator/clouds/services/simulator-ca";
import { type Deployed, resolved } from "../../deploy";
import { downloads } from "../in-cluster/fixture";
import { unpacked } from "../in-cluster/unpacked";
import { deployDigitalOcean as create } from "./deploy-digitalocean";

describe("a cluster on DigitalOcean, of three controllers and two pools,", function () {
    this.timeout(60_000);
    let cluster: DigitalOceanCluster;
    let resources: Deployed[];
    const named = (name: string, type = "") =>
        resources.find((resource) => resource.name === name && resource.type.includes(type))!;
    const ofType = (type: string) => resources.filter((each) => each.type.endsWith(`:${type}`));

    before(async () => {
        const workerPools = [{ name: "a" }, { name: "b", size: "s-4vcpu-8gb" }];
        ({ result: cluster, resources } = await create({
            controllers: { count: 3 },
            workerPools,
            snapshotSpace: { name: "acme" },
            importedImage: { version: "4593.2.1" },
            project: "acme",
        }));
    });

    it("is of types that the simulator checks, which has no others than these and our example's", () => {
        const used = resources.map(({ type }) => type).filter((type) => type.startsWith("digitalocean:"));
        const example = readFileSync(resolve(__dirname, "../../../../examples/digitalocean-program.ts"), "utf8");
        const imported = [...example.matchAll(/import \{ (\w+) \} from "@pulumi\/digitalocean\/(\w+)"/g)].map(
            ([, name, file]) => `digitalocean:index/${file}:${name}`,
        );
        assert.deepEqual([...new Set([...used, ...imported])].sort(), Object.keys(types).sort());
    });

    it("finds each controller's etcd volume by its name", () => {
        for (const { name, inputs } of ofType("Droplet")) {
            const device = `mode 0644\n/dev/disk/by-id/scsi-0DO_Volume_${name}-etcd\n`;
            const expected = name.startsWith("c-controller-") ? device : undefined;
            assert.equal(diffable(parse(inputs.userData))["/etc/tradewind/etcd-disk"], expected);
        }
    });

    it("has no lasting secret in user-data, and all of it secret in the state", () => {
        for (const { name, inputs, secretInputs } of ofType("Droplet")) {
            assert.deepEqual(secretInputs, ["userData"], name);
            const texts = Object.values(diffable(parse(inputs.userData))).join("\n");
            const keys = [...texts.matchAll(/\S+ key$/gm)].map(([key]) => key);
            assert.deepEqual(keys, name === "c-controller-0" ? ["c-bootstrap-receiver key"] : [], name);
        }
    });

    it("waits for the bootstrap assets on its first controller only", () => {
        const receivers = ofType("Droplet").filter(
            ({ inputs }) => diffable(parse(inputs.userData))["bootstrap-receiver.service"],
        );
        assert.deepEqual(
            receivers.map(({ name }) => name),
            ["c-controller-0"],
        );
    });

    it("does not let a droplet look up the API's name before it exists", () => {
        for (const { inputs, name } of ofType("Droplet")) {
            const unit = diffable(parse(inputs.userData))["await-name.service"];
            assert.match(unit!, /await-name\.js api\.c\.example\.com example\.com$/m, name);
        }
    });

    it("finds its nodes' addresses in the VPC's block", () => {
        for (const { inputs } of ofType("Droplet")) {
            assert.match(diffable(parse(inputs.userData))["kubelet.service"]!, /--node-ip=172\.24\.0\.0\/20/);
        }
    });

    it("names the API by every address that people and nodes use", () => {
        const { dnsNames, ipAddresses } = named("c-kube-apiserver", "CertRequest").inputs;
        assert.ok(dnsNames.includes("api.c.example.com"));
        assert.deepEqual(ipAddresses, [
            "10.3.0.1",
            "127.0.0.1",
            "172.24.0.58",
            "172.24.0.59",
            "172.24.0.60",
            "203.0.113.7",
        ]);
    });

    it("is started by one resource that has the target and the assets, as secrets", () => {
        const { inputs, secretInputs, dependsOn } = named("c-bootstrap", "Command");
        const { assets, ...delivery }: Delivery = JSON.parse(unpacked(inputs.stdin));
        assert.deepEqual(delivery, {
            server: "https://203.0.113.7:6443",
            node: "c-controller-0",
            receiver: "bootstrap.c.example.com",
            ca: "c-kubernetes-ca cert",
            cert: "c-kubernetes-admin cert",
            key: "c-kubernetes-admin key",
            console: { byHand: "Access, Recovery Console at https://cloud.digitalocean.com/droplets/10" },
            timeoutSeconds: 1800,
        });
        assert.deepEqual(assets.units, [
            "bootstrap.service",
            "kubelet-restart.path",
            "bootstrap-report.service",
            "bootstrap-lines.path",
        ]);
        assert.match(inputs.create, /^node --require tsx\/cjs \S*agents\/bootstrap-sender\/main\.ts$/);
        assert.deepEqual(secretInputs, ["stdin"]);
        assert.deepEqual(dependsOn, ["c-controller-0", "c-api", "c-controllers"]);
    });

    it("deletes everything in the cluster with the VPC, without contacting a dead API", async () => {
        for (const { name, type, opts } of resources.filter((each) => /^kubernetes:(?!index|yaml)/.test(each.type))) {
            assert.match(await resolved(opts.deletedWith!.urn), /vpc:Vpc::c$/, `${type} ${name}`);
        }
    });

    it("gives back what a person needs", async () => {
        assert.equal(await resolved(cluster.apiUrl), "https://203.0.113.7:6443");
        assert.equal(cluster.nodes.length, 5);
        const kubeconfig = JSON.parse(await resolved(cluster.kubeconfig));
        assert.equal(kubeconfig.clusters[0].cluster.server, "https://203.0.113.7:6443");
    });
});

describe("a cluster on DigitalOcean, of three controllers without a load balancer,", function () {
    this.timeout(60_000);
    let cluster: DigitalOceanCluster;
    let resources: Deployed[];
    const named = (name: string, type: string) =>
        resources.find((resource) => resource.name === name && resource.type.endsWith(`:${type}`))!;

    before(async () => {
        const options = { apiLoadBalancer: false, controllers: { count: 3 }, workerPools: [{ name: "a" }] };
        ({ result: cluster, resources } = await create(options));
    });

    it("has the name before workers look it up, and before it is started", () => {
        const names = [0, 1, 2].map((index) => `c-controller-${index}-api`);
        assert.deepEqual(named("c-a-0", "Droplet").dependsOn, ["c-nodes", ...names]);
        assert.deepEqual(named("c-bootstrap", "Command").dependsOn, ["c-controller-0", ...names, "c-controllers"]);
    });

    it("keeps the droplet of a removed controller while its name is cached, unless everything is deleted", async () => {
        for (const node of [0, 1, 2].map((index) => `c-controller-${index}`)) {
            assert.deepEqual(named(`${node}-api`, "DnsRecord").dependsOn, [`${node}-api-forgotten`]);
            const { inputs, dependsOn, opts } = named(`${node}-api-forgotten`, "Command");
            assert.deepEqual([inputs.create, inputs.delete, dependsOn], [undefined, "sleep 30", [node]]);
            assert.match(await resolved(opts.deletedWith!.urn), /vpc:Vpc::c$/);
        }
    });

    it("is started by its first controller's address, and known by its name", async () => {
        const { server, apiName }: Delivery = JSON.parse(unpacked(named("c-bootstrap", "Command").inputs.stdin));
        assert.deepEqual([server, apiName], ["https://198.51.100.10:6443", "api.c.example.com"]);
        assert.equal(await resolved(cluster.apiUrl), "https://api.c.example.com:6443");
        const kubeconfig = JSON.parse(await resolved(cluster.kubeconfig));
        assert.equal(kubeconfig.clusters[0].cluster.server, "https://api.c.example.com:6443");
        const { dnsNames, ipAddresses } = named("c-kube-apiserver", "CertRequest").inputs;
        assert.ok(dnsNames.includes("api.c.example.com"));
        assert.deepEqual(ipAddresses, ["10.3.0.1", "127.0.0.1", "172.24.0.58", "172.24.0.59", "172.24.0.60"]);
    });

    it("opens only the API's port of its controllers to all addresses", () => {
        const open = resources
            .filter(({ type }) => type.endsWith(":Firewall"))
            .flatMap(({ name, inputs }) =>
                (inputs.inboundRules as { portRange?: string; sourceAddresses?: string[] }[])
                    .filter(({ sourceAddresses }) => sourceAddresses)
                    .map(({ portRange, sourceAddresses }) => [name, portRange, sourceAddresses]),
            );
        assert.deepEqual(open, [["c-controllers", "6443", ["0.0.0.0/0"]]]);
    });

    it("is reachable over IPv6 if its droplets have addresses and clients are not restricted", async () => {
        const ipv6 = { image: "ubuntu-26-04-x64", os: "cloud-init", sshKeys: [], ipv6: true };
        const look = async (options: object) => {
            const { resources: all } = await create({ ...ipv6, workerPools: [{ name: "a" }], ...options });
            const records = all.filter(({ type }) => type.endsWith(":DnsRecord"));
            const firewall = all.find(({ name, type }) => name === "c-controllers" && /Firewall/.test(type))!;
            for (const { type, inputs } of all) if (/:Droplet$/.test(type)) assert.equal(inputs.ipv6, true);
            return [
                records.map(({ name, inputs }) => [name, inputs.type, inputs.name, inputs.value]),
                firewall.inputs.inboundRules[0].sourceAddresses,
            ];
        };
        const byIpv4 = ["c-controller-0-api", "A", "api.c", "198.51.100.10"];
        assert.deepEqual(await look({ apiLoadBalancer: false }), [
            [byIpv4, ["c-controller-0-api-ipv6", "AAAA", "api.c", "2001:db8::10"]],
            ["0.0.0.0/0", "::/0"],
        ]);
        assert.deepEqual(await look({ apiLoadBalancer: false, apiAllowedCidrs: ["192.0.2.0/24"] }), [
            [byIpv4],
            ["192.0.2.0/24", "198.51.100.10", "198.51.100.20"],
        ]);
        assert.deepEqual(await look({}), [[["c-api", "A", "api.c", "203.0.113.7"]], undefined]);
    });

    it("has listeners at every address of its controllers", () => {
        const apiserver = resources.find(({ name, type }) => /DaemonSet$/.test(type) && /kube-apiserver/.test(name))!;
        assert.match(JSON.stringify(apiserver.inputs.spec), /export LISTEN=/);
    });
});

describe("a cluster on DigitalOcean", function () {
    this.timeout(60_000);

    it("has its project looked up by its id too", async () => {
        const project = "4e1bfbc3-dc3e-41f2-a18f-1b4d7ba71679";
        const { resources } = await create({ project, apiLoadBalancer: false });
        const { inputs } = resources.find(({ type }) => type.endsWith(":ProjectResources"))!;
        assert.equal(inputs.project, project);
    });

    it("is refused in preview when its project is not there", async () => {
        await assert.rejects(
            () => create({ project: "gone" }, true),
            /project must be the name or id of a project of the account \(got gone\): /,
        );
    });

    it("shows in a preview every resource that an update makes", async () => {
        const identity = ({ type, name }: Deployed) => `${type}::${name}`;
        const workerPools = [{ name: "a" }];
        for (const apiLoadBalancer of [true, false]) {
            const options = { workerPools, apiLoadBalancer, apiAllowedCidrs: ["192.0.2.0/24"] };
            const [preview, update] = [await create(options, true), await create(options)];
            assert.deepEqual(preview.resources.map(identity).sort(), update.resources.map(identity).sort());
        }
    });

    for (const os of ["ignition", "cloud-init"] as const) {
        it(`fits into user-data with ${os} and everything that machines may download and reach`, async () => {
            const download = {
                urls: [`https://mirror.example/${"path/".repeat(20)}file.tar.gz`],
                sha256: "0".repeat(64),
            };
            const runtime = { containerd: download, runc: { ...download, sha256: "1".repeat(64) } };
            // DigitalOcean takes 65 536; the rest is left for snippets. This one is too random to get shorter.
            const source = `data:;base64,${randomBytes(4_152).toString("base64")}`;
            const files = [{ path: "/srv/own", contents: { source } }];
            const snippets = [JSON.stringify({ ignition: { version: "3.5.0" }, storage: { files } })];
            const { resources } = await create({
                os,
                controllers: { count: 3, snippets },
                workerPools: [{ name: "a", snippets }],
                downloads: { ...downloads, ...(os === "cloud-init" && { containerRuntime: runtime }) },
                osReboots: { windows: ["Sat 02:00-04:00"] },
                proxy: { httpProxy: "http://proxy.example:3128", httpsProxy: "http://proxy.example:3128" },
                registryMirrors: ["docker.io", "quay.io", "registry.k8s.io"].map((registry) => ({
                    registry,
                    urls: ["https://mirror.example"],
                    ca: simulatorCa().certificate,
                })),
            });
            const lengths = resources
                .filter(({ type }) => type.endsWith(":Droplet"))
                .map(({ inputs }) => (inputs.userData as string).length - source.length);
            assert.equal(lengths.length, 4);
            assert.ok(Math.max(...lengths) < 60_000, lengths.join(", "));
            // cloud-init's form is longer: there is no room for the preflight of these machines.
            const isShort = (text: string) => !text.includes("/opt/tradewind/bin/preflight");
            const droplets = resources.filter(({ type }) => type.endsWith(":Droplet"));
            const short = droplets.filter(({ inputs }) => isShort(inputs.userData as string));
            assert.equal(short.length > 0, os === "cloud-init");
        });
    }

    it("is refused before anything is looked up if a snippet makes user-data too long", async () => {
        const contents = { source: `data:,${randomBytes(60_000).toString("hex")}` };
        const long = { ignition: { version: "3.5.0" }, storage: { files: [{ path: "/srv/long", contents }] } };
        const workerPools = [{ name: "a", snippets: [JSON.stringify(long)] }];
        await assert.rejects(
            () => create({ workerPools }),
            /^Error: the user-data of c-a-0, .* must be at most 65536 bytes/,
        );
    });
});
