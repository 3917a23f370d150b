import assert from "node:assert/strict";
import { requireCloudImages } from "../../../cluster/images";
import { resolveCluster } from "../../../cluster/resolve";
import { type CloudImages, cloudImagesFor } from "../../../versions/cloud-images";

const digest = `sha256:${"0".repeat(64)}`;

describe("images of clouds' controllers that somebody gives", () => {
    const good = [
        "registry.example/controller:v1.2.3",
        `registry.example/controller@${digest}`,
        `registry.example:5000/a/b-c/d__e:v1@${digest}`,
        "localhost:5000/controller:latest",
    ];
    for (const image of good) {
        it(`may be ${image}`, () =>
            assert.deepEqual(requireCloudImages({ awsCloudController: image }), { awsCloudController: image }));
    }

    const bad = [
        ...["", "controller", "registry.example/controller", "controller:v1", "https://registry.example/controller:v1"],
        ...["registry.example/Controller:v1", "registry.example/controller:", "registry.example/controller@sha256:00"],
    ];
    for (const image of bad) {
        it(`may not be ${image || "empty"}`, () =>
            assert.throws(() => requireCloudImages({ csiAttacher: image }), {
                message: `cloudImages.csiAttacher must be a full image name with a tag or a digest, such as registry.example/controller:v1.2.3 (got ${image || '""'})`,
            }));
    }

    const own = cloudImagesFor("1.36.3");
    const imagesOf = (cloudImages: Partial<CloudImages>) => {
        const { images } = resolveCluster({ name: "c", kubernetesVersion: "1.36.3", cloudImages });
        return Object.fromEntries(Object.keys(own).map((name) => [name, images[name as keyof CloudImages]]));
    };

    it("replace only the release images that they name", () =>
        assert.deepEqual(imagesOf({ awsCloudController: good[0] }), { ...own, awsCloudController: good[0] }));

    it("are the release's own without a word", () => assert.deepEqual(imagesOf({ csiAttacher: undefined }), own));

    for (const [name, image] of Object.entries(cloudImagesFor("1.36.3"))) {
        it(`may be the release's own ${name}`, () => assert.ok(requireCloudImages({ [name]: image })));
    }
});
