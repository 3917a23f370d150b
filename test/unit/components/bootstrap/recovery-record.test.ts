import assert from "node:assert/strict";
import * as pulumi from "@pulumi/pulumi";
import { resolveCluster } from "../../../../cluster/resolve";
import { recoveryRecord } from "../../../../components/bootstrap/bootstrap";
import { type Config, config } from "../../../../ignition";
import { deploy, resolved } from "../../deploy";
import { fakeCredentials } from "../in-cluster/fixture";

describe("the record from which a cluster is recovered", () => {
    const options = { name: "c", controllers: { count: 3 } };
    const credentials = fakeCredentials(resolveCluster(options));

    it("has what a cluster is made of, its machines' addresses and its keys, all of it secret", async () => {
        const machines = { "c-controller-0": pulumi.output("10.0.0.11"), "c-controller-1": "10.0.0.12" };
        const joining: Record<string, Config> = { default: config() };
        const { result } = await deploy(() =>
            recoveryRecord({
                options,
                machines,
                credentials: pulumi.output(credentials),
                joining: pulumi.output(joining),
            }),
        );
        assert.equal(await pulumi.isSecret(result), true);
        const addresses = { "c-controller-0": "10.0.0.11", "c-controller-1": "10.0.0.12" };
        assert.deepEqual(await resolved(result), { options, machines: addresses, credentials, joining });
    });
});
