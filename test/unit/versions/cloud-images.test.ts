import assert from "node:assert/strict";
import { KUBERNETES_VERSIONS } from "../../../versions";
import { cloudImagesFor } from "../../../versions/cloud-images";

describe("images of clouds' controllers", () => {
    it("have a full name with a version and, except for those in no list, a digest", () => {
        for (const version of KUBERNETES_VERSIONS) {
            for (const image of Object.values(cloudImagesFor(version))) {
                assert.match(image, /^[a-z0-9.]+\.[a-z]+\/[a-z0-9./-]+:v\d+\.\d+\.\d+(@sha256:[0-9a-f]{64})?$/);
            }
        }
    });
});
