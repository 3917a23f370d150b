import assert from "node:assert/strict";
import { ApiNotice } from "../../../../../agents/boot/bootstrap/api-notice";
import type { ApiClient, Call } from "../../../../../clients/kubernetes/api-client";

describe("bootstrap events", () => {
    const events: { message: string; reason: string; involvedObject: { name: string } }[] = [];
    let isThere = false;
    const api = {
        call: async (_: string, { body }: Call) => {
            if (!isThere) throw new Error("ECONNREFUSED");
            events.push(body as (typeof events)[number]);
        },
    } as unknown as ApiClient;

    it("belong to its node, one for each thing it waits for, once there is an API", async () => {
        const notice = new ApiNotice(api, "c-controller-0");
        await notice.report("label-node is not done: no Node");
        isThere = true;
        for (const message of ["no Node", "no Node", "no pod"])
            await notice.report(`label-node is not done: ${message}`);
        assert.deepEqual(
            events.map(({ message, reason, involvedObject }) => [involvedObject.name, reason, message]),
            [
                ["c-controller-0", "BootstrapWaits", "label-node is not done: no Node"],
                ["c-controller-0", "BootstrapWaits", "label-node is not done: no pod"],
            ],
        );
    });
});
