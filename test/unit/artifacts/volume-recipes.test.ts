import assert from "node:assert/strict";
import { testItems } from "../../../artifacts/items";
import { builtVolumeImages, volumeRecipes } from "../../../artifacts/test-recipes";
import { versions } from "../../../versions";
import { cloudImagesFor } from "../../../versions/cloud-images";

const recipes = volumeRecipes({});
const pinned = cloudImagesFor(versions.kubernetes);

describe("the images of AWS' volume driver as built here", () => {
    it("are all that a cluster runs of it, by repository", () => {
        const keys = Object.keys(pinned).filter((key) => /csi|snapshot/i.test(key) && !/digitalOcean/.test(key));
        assert.deepEqual(Object.keys(builtVolumeImages).sort(), keys.sort());
        const repository = (image: string) => image.replace(/:[^/]*$/, "");
        for (const [key, image] of Object.entries(builtVolumeImages)) {
            assert.equal(repository(image), repository(pinned[key as keyof typeof pinned].split("@")[0]!));
        }
        assert.deepEqual(recipes.map(({ image }) => image).sort(), Object.values(builtVolumeImages).sort());
    });

    it("contain exactly the pinned versions of the driver and of snapshots, and mark stand-ins", () => {
        for (const key of ["awsCsiDriver", "csiSnapshotter", "snapshotController"] as const) {
            assert.equal(builtVolumeImages[key], pinned[key].split("@")[0]);
        }
        const standIns = recipes.filter(({ layers }) => JSON.stringify(layers).includes("stand-in"));
        assert.deepEqual(
            standIns.map(({ image }) => image.split(":")[1]),
            ["stand-in", "stand-in"],
        );
    });

    it("need what is built", () => {
        const ids = testItems().map(({ id }) => id);
        for (const id of recipes.flatMap(({ needs }) => needs)) assert.ok(ids.includes(id), id);
    });
});
