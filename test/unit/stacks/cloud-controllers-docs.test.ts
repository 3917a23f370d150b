import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { cloudImagesFor } from "../../../artifacts/cloud-images";
import { KUBERNETES_VERSIONS } from "../../../artifacts/lock";
import { autoscalerRights } from "../../../components/aws/autoscaler-rights";
import { cloudControllerRights } from "../../../components/aws/cloud-controller-rights";
import { csiDriverRights } from "../../../components/aws/csi-driver-rights";
import type { Allowance } from "../../../components/aws/policy";

const text = readFileSync(resolve(__dirname, "../../../docs/cloud-controllers.md"), "utf8");
const scope = { cluster: "c", region: "eu-central-1", vpcId: "vpc-1" };

/** The cells of a table below a heading, its head left out. */
function table(heading: string): string[][] {
    const section = text.split(`\n### ${heading}\n`)[1]!.split(/\n#+ /)[0]!;
    const rows = section.split("\n").filter((line) => line.startsWith("|"));
    return rows.slice(2).map((row) =>
        row
            .split("|")
            .slice(1, -1)
            .map((cell) => cell.trim()),
    );
}

const things: Readonly<Record<string, string>> = {
    "*": "everything",
    "vpc/vpc-1": "the cluster's VPC",
    "security-group/*": "security groups",
    "loadbalancer/*": "load balancers",
    "targetgroup/*": "target groups",
    "listener/*": "listeners",
    "volume/*": "volumes",
    "autoScalingGroupName/*": "Auto Scaling groups",
    "instance/*": "instances",
};

const conditions: Readonly<Record<string, string>> = {
    '"aws:ResourceTag/k8s.io/cluster-autoscaler/c":"owned"': "it has the tags of a pool that scales",
    '"aws:RequestTag/kubernetes.io/cluster/c":"owned"': "asked for with the cluster's tag",
    '"aws:ResourceTag/kubernetes.io/cluster/c":"owned"': "it has the cluster's tag",
    '"Null":{"aws:ResourceTag/tradewind.dev/cluster":"true"}': "the stack did not make it",
    '"ec2:VolumeIops":"1000000"': "asked for with more iops than any has, which tells the most",
    ':CreateAction":': "while it is made",
};

/** As the documentation says it. */
function row({ actions, resources = ["*"], condition }: Allowance): string[] {
    const on = resources.map((arn) => things[arn.split(":").at(-1)!] ?? arn);
    const said = JSON.stringify(condition ?? {});
    const only = Object.entries(conditions).filter(([part]) => said.includes(part));
    assert.equal(only.length > 0, condition !== undefined, said);
    const names = actions.map((action) => `\`${action}\``).join(", ");
    return [names, on.join(", "), only.map(([, words]) => words).join(", ")];
}

describe("the documentation of clouds' controllers", () => {
    it("has the rights of AWS' cloud controller, and no others", () =>
        assert.deepEqual(table("The cloud controller's rights"), cloudControllerRights(scope).map(row)));

    it("has the rights of AWS' driver of volumes, and no others", () =>
        assert.deepEqual(table("The rights of the driver of volumes"), csiDriverRights(scope).map(row)));

    it("has the rights of cluster-autoscaler, and no others", () =>
        assert.deepEqual(table("The rights of cluster-autoscaler"), autoscalerRights(scope).map(row)));

    it("has every image, and says which digest is not known", () => {
        const images = [...new Set(KUBERNETES_VERSIONS.flatMap((version) => Object.values(cloudImagesFor(version))))];
        const rows = images.map((image) => {
            const [name, digest] = image.split("@");
            return [`\`${name}\``, digest ? "pinned" : "unknown"];
        });
        assert.deepEqual(
            table("Images")
                .map((cells) => cells.slice(0, 2))
                .sort(),
            rows.sort(),
        );
    });
});
