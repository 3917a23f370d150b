import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { cloudImagesFor } from "../../../../../artifacts/cloud-images";
import { versions } from "../../../../../artifacts/lock";
import type { Manifest } from "../../../../../cluster/manifest";
import {
    digitalOceanCloudController,
    digitalOceanCsiDriver,
} from "../../../../../cluster/manifests/addons/digitalocean";
import { fixedCluster } from "../../../components/in-cluster/fixture";

/** What a DigitalOcean program accepts, and its defaults. From the source of the pinned version. */
interface Contract {
    /** Of its image. */
    readonly version: string;
    /** Its own flags with their defaults. */
    readonly flags: Readonly<Record<string, string>>;
    /** Environment variables with their meanings. */
    readonly env: Readonly<Record<string, string>>;
    /** Settings that it must not get, and why. */
    readonly never: Readonly<Record<string, string>>;
    /** Settings that it must get. */
    readonly always: Readonly<Record<string, string>>;
    /** Token scopes for its API calls, including those that DigitalOcean requires along with them. */
    readonly scopes: readonly string[];
}

const contracts: Readonly<Record<"cloudController" | "csiDriver", Contract>> = {
    // Source: cloud-controller-manager/do/cloud.go, loadbalancers.go and docs/getting-started.md.
    cloudController: {
        version: "v0.1.68",
        flags: { "cloud-provider": "digitalocean" },
        env: {
            DO_ACCESS_TOKEN: "token of the account",
            DO_CLUSTER_VPC_ID: "VPC of its load balancers",
            DEFAULT_LB_TYPE: "type of a load balancer without an annotation; REGIONAL_NETWORK since v0.1.61",
        },
        never: {
            REGION: "it then lists all regions, for which the token needs another scope; without it, it asks the droplet's metadata",
            WORKER_FIREWALL_NAME: "it would manage a firewall that the stack owns",
            PUBLIC_ACCESS_FIREWALL_NAME: "it would manage a firewall that the stack owns",
        },
        always: { DEFAULT_LB_TYPE: "REGIONAL" },
        scopes: [
            "droplet:read",
            "load_balancer:create",
            "load_balancer:delete",
            "load_balancer:read",
            "load_balancer:update",
            "regions:read",
            "vpc:read",
        ],
    },
    // Source: cmd/do-csi-plugin/main.go and driver/driver.go.
    csiDriver: {
        version: "v4.16.0",
        flags: {
            endpoint: "unix:///var/lib/kubelet/plugins/dobs.csi.digitalocean.com/csi.sock",
            token: "",
            url: "https://api.digitalocean.com/",
            "do-tag": "",
            "driver-name": "dobs.csi.digitalocean.com",
            "debug-addr": "",
        },
        env: { DIGITALOCEAN_ACCESS_TOKEN: "ours, for --token", CSI_NODE_NAME: "ours, for the node's name" },
        never: {
            region: "given one, NewDriver leaves the driver's own region empty, and no volume can be created",
        },
        always: { endpoint: "unix:///csi/csi.sock" },
        scopes: [
            "account:read",
            "actions:read",
            "block_storage:create",
            "block_storage:delete",
            "block_storage:read",
            "block_storage_action:create",
            "block_storage_action:read",
            "droplet:read",
            "image:read",
            "regions:read",
            "sizes:read",
            "tag:create",
            "tag:read",
        ],
    },
};

interface Container {
    readonly image: string;
    readonly command?: readonly string[];
    readonly args?: readonly string[];
    readonly env?: readonly { readonly name: string; readonly value?: string }[];
}

/** Flags and variables of a container: names and literal values. */
function givenTo({ command = [], args = [], env = [] }: Container): Map<string, string | undefined> {
    const flags = [...command.slice(1), ...args].map((text) => {
        const [, name, value] = /^--([a-z-]+)=(.*)$/s.exec(text) ?? assert.fail(`not a flag: ${text}`);
        return [name!, value] as const;
    });
    return new Map([...flags, ...env.map(({ name, value }) => [name, value] as const)]);
}

function containersOf(manifests: readonly Manifest[], image: string): Container[] {
    type Workload = { spec?: { template?: { spec: { containers: Container[] } } } };
    return manifests
        .flatMap((manifest) => (manifest as Workload).spec?.template?.spec.containers ?? [])
        .filter((container) => container.image === image);
}

const cluster = fixedCluster({ cloudProvider: "digitalocean" });
const programs = {
    cloudController: containersOf(digitalOceanCloudController(cluster), cluster.images.digitalOceanCloudController),
    csiDriver: containersOf(digitalOceanCsiDriver(cluster), cluster.images.digitalOceanCsiDriver),
};
/** Flags of Kubernetes' own libraries (k8s.io/cloud-provider and client-go) that are used here. */
const ofLibraries = [
    "KUBERNETES_SERVICE_HOST",
    "KUBERNETES_SERVICE_PORT",
    "allocate-node-cidrs",
    "bind-address",
    "cluster-cidr",
    "cluster-name",
    "configure-cloud-routes",
    "controllers",
    "leader-elect",
    "profiling",
    "secure-port",
];
const page = readFileSync(resolve(__dirname, "../../../../../docs/cloud-controllers.md"), "utf8");

for (const [program, contract] of Object.entries(contracts) as [keyof typeof contracts, Contract][]) {
    describe(`DigitalOcean's ${program === "csiDriver" ? "driver of volumes" : "cloud controller"}`, () => {
        const containers = programs[program];

        it("is the version that its contract was read from", () => {
            const images = cloudImagesFor(versions.kubernetes);
            const image = program === "csiDriver" ? images.digitalOceanCsiDriver : images.digitalOceanCloudController;
            assert.equal(image.split(":").at(-1), contract.version, "read its source again and update the contract");
        });

        it("gets only flags and variables that it supports", () => {
            assert.ok(containers.length > 0);
            for (const container of containers) {
                for (const name of givenTo(container).keys()) {
                    const known = [...Object.keys(contract.flags), ...Object.keys(contract.env)];
                    const isLibrary = program === "cloudController" && ofLibraries.includes(name);
                    assert.ok(isLibrary || known.includes(name), `${name} is not in its contract`);
                }
            }
        });

        it("gets nothing that breaks it, and what it must have", () => {
            for (const given of containers.map(givenTo)) {
                for (const [name, reason] of Object.entries(contract.never)) {
                    assert.ok(!given.has(name), `${name}: ${reason}`);
                }
                for (const [name, value] of Object.entries(contract.always)) assert.equal(given.get(name), value);
            }
        });

        it("has every scope of its token in the docs", () => {
            for (const scope of contract.scopes)
                assert.ok(page.includes(`\`${scope}\``), `${scope} is not in the docs`);
        });
    });
}
