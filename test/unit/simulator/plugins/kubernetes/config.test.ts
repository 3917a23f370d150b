import assert from "node:assert/strict";
import { parseConfig } from "../../../../../simulator/plugins/kubernetes/config";

describe("the provider's arguments", () => {
    it("apply server-side and change nothing in place by default", () => {
        const config = parseConfig({}, {});
        assert.equal(config.enableServerSideApply, true);
        assert.equal(config.upsertExistingObjects, false);
        assert.equal(config.enableConfigMapMutable, false);
    });

    it("come as JSON text", () => {
        const config = parseConfig({ upsertExistingObjects: "true", enableServerSideApply: "false" }, {});
        assert.equal(config.upsertExistingObjects, true);
        assert.equal(config.enableServerSideApply, false);
    });

    it("come from the environment where the program says nothing", () => {
        const environment = { PULUMI_K8S_DELETE_UNREACHABLE: "true" };
        assert.equal(parseConfig({}, environment).deleteUnreachable, true);
        assert.equal(parseConfig({ deleteUnreachable: "false" }, environment).deleteUnreachable, false);
    });

    it("may hold a kubeconfig as an object", () => {
        assert.equal(parseConfig({ kubeconfig: { kind: "Config" } }, {}).kubeconfig, '{"kind":"Config"}');
        assert.equal(parseConfig({ kubeconfig: "" }, {}).kubeconfig, undefined);
    });
});
