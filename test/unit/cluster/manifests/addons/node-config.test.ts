import assert from "node:assert/strict";
import { nodeConfig } from "../../../../../cluster/manifests/addons/kube-proxy";

describe("the configuration of a DaemonSet", () => {
    const { configMap, volume } = nodeConfig("proxy", { "config.json": "{}" });

    it("is mounted by the name that its content gives it", () => {
        assert.match(configMap.metadata.name, /^proxy-[0-9a-f]{16}$/);
        assert.deepEqual(volume, { name: "config", configMap: { name: configMap.metadata.name } });
        assert.deepEqual(configMap.data, { "config.json": "{}" });
    });

    it("has another name with another content, and the same with the same", () => {
        const name = (text: string) => nodeConfig("proxy", { "config.json": text }).configMap.metadata.name;
        assert.equal(name("{}"), configMap.metadata.name);
        assert.notEqual(name("{ }"), configMap.metadata.name);
    });
});
