import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import type { Delivery } from "../../../agents/bootstrap-sender/delivery";
import { deliverBootstrap } from "../../../components/bootstrap-delivery";
import { resolveCluster } from "../../../components/cluster/resolve";
import { type Deployed, deploy } from "../deploy";
import { fakeCredentials } from "./fixture";
import { Made } from "./owned-in-cluster";
import { unpacked } from "./unpacked";

const cluster = resolveCluster({ name: "c", domain: "example.com", controllers: { count: 3 } });
const credentials = fakeCredentials(cluster);

async function create(address: string): Promise<Deployed> {
    const program = () => {
        const first = { name: "c-controller-0", address: pulumi.output(address), resource: new Made("first") };
        const args = { cluster, server: "https://203.0.113.7:6443", first, credentials: pulumi.output(credentials) };
        return deliverBootstrap("c", args, { dependsOn: first.resource });
    };
    const { resources } = await deploy(program);
    return resources.find(({ name }) => name === "c-bootstrap")!;
}

const deliveryOf = ({ inputs }: Deployed): Delivery => JSON.parse(unpacked(inputs.stdin));

describe("the delivery of what starts a cluster", () => {
    it("shows the receiver the administrator's certificate, and expects one of the cluster's own CA", async () => {
        const { server, receiver, ca, cert, key } = deliveryOf(await create("10.0.0.11"));
        assert.deepEqual([server, receiver], ["https://203.0.113.7:6443", "bootstrap.c.example.com"]);
        const { kubernetesCa, admin } = credentials;
        assert.deepEqual([ca, cert, key], [kubernetesCa.cert, admin.cert, admin.key]);
    });

    it("brings the first controller's assets, which know its address", async () => {
        const texts = (delivery: Delivery) =>
            delivery.assets.entries.map(({ contents = "" }) => Buffer.from(contents, "base64").toString()).join("\n");
        assert.match(texts(deliveryOf(await create("10.0.0.11"))), /10\.0\.0\.11/);
        const moved = texts(deliveryOf(await create("10.9.9.9")));
        assert.match(moved, /10\.9\.9\.9/);
        assert.doesNotMatch(moved, /10\.0\.0\.11/);
    });

    it("is secret, comes after its machine, and is not made again when its contents change", async () => {
        const { secretInputs, dependsOn, opts, inputs } = await create("10.0.0.11");
        assert.deepEqual([secretInputs, dependsOn, opts.ignoreChanges], [["stdin"], ["first"], ["stdin"]]);
        assert.doesNotMatch(inputs.create, /PRIVATE KEY/);
    });
});
