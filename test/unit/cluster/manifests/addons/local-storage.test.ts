import assert from "node:assert/strict";
import { localStorage } from "../../../../../cluster/manifests/addons/local-storage";
import { fixedCluster } from "../../../components/in-cluster/fixture";
import { golden } from "../../../golden";

describe("the storage class of local clusters", () => {
    it("is as reviewed", () => golden(__dirname, "local-storage", localStorage(fixedCluster())));

    it("gives its provisioner no permission to read Secrets, and pods in kube-system only", () => {
        const roles = localStorage(fixedCluster()).filter(({ kind }) => /Role$/.test(kind));
        assert.doesNotMatch(JSON.stringify(roles), /secrets|\*/);
        const [role] = roles.filter(({ kind }) => kind === "Role");
        assert.equal(role!.metadata.namespace, "kube-system");
    });
});
