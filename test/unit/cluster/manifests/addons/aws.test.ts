import assert from "node:assert/strict";
import { awsCsiDriver } from "../../../../../cluster/manifests/addons/aws";
import { fixedCluster } from "../../../components/in-cluster/fixture";
import { golden } from "../../../golden";

const manifests = awsCsiDriver(fixedCluster({ controllers: { count: 3 } }), { region: "eu-central-1" });

describe("the driver of EBS volumes", () => {
    it("is as reviewed", () => golden(__dirname, "aws-csi-driver", manifests));

    it("encrypts volumes, and sets the tag that its permissions require", () => {
        const { parameters } = manifests.find(({ kind }) => kind === "StorageClass")!;
        assert.deepEqual(parameters, { type: "gp3", encrypted: "true" });
        assert.match(JSON.stringify(manifests), /"--k8s-tag-cluster-id=c"/);
    });
});
