import assert from "node:assert/strict";
import { requireApi } from "../../../../cli/recover/recover";
import { freePort } from "../../../free-port";

describe("a recovery from the API", () => {
    it("suggests other sources if the API does not answer", async () => {
        await assert.rejects(
            requireApi({
                connection: {
                    server: `https://127.0.0.1:${await freePort()}`,
                    cluster: "c",
                    namespace: "",
                    isInsecure: false,
                },
            }),
            /^Error: the API does not answer, which --from api requires \(.*ECONNREFUSED.*\); use --from etcd or --from snapshot$/,
        );
    });

    it("says so if there is no kubeconfig yet", async () => {
        await assert.rejects(requireApi({}), { message: "there is no kubeconfig yet; use --from etcd" });
    });
});
