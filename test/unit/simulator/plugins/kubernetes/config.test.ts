import assert from "node:assert/strict";
import { parseConfig } from "../../../../../simulator/plugins/kubernetes/config";

describe("the provider's arguments", () => {
    it("enable server-side apply and change nothing in place by default", () => {
        const config = parseConfig({}, {});
        assert.equal(config.enableServerSideApply, true);
        assert.equal(config.upsertExistingObjects, false);
        assert.equal(config.enableConfigMapMutable, false);
    });

    it("are read from JSON text", () => {
        const config = parseConfig({ upsertExistingObjects: "true", enableServerSideApply: "false" }, {});
        assert.equal(config.upsertExistingObjects, true);
        assert.equal(config.enableServerSideApply, false);
    });

    it("are read from the environment if the program does not set them", () => {
        const environment = { PULUMI_K8S_DELETE_UNREACHABLE: "true" };
        assert.equal(parseConfig({}, environment).deleteUnreachable, true);
        assert.equal(parseConfig({ deleteUnreachable: "false" }, environment).deleteUnreachable, false);
    });

    it("may contain a kubeconfig as an object", () => {
        assert.equal(parseConfig({ kubeconfig: { kind: "Config" } }, {}).kubeconfig, '{"kind":"Config"}');
        assert.equal(parseConfig({ kubeconfig: "" }, {}).kubeconfig, undefined);
    });
});
