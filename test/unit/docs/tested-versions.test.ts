import assert from "node:assert/strict";
import { cloudImagesFor } from "../../../artifacts/cloud-images";
import { images } from "../../../artifacts/images";
import { versions } from "../../../artifacts/lock/versions";
import { builtAwsCloudController, builtClusterAutoscaler, builtVolumeImages } from "../../../artifacts/test-recipes";
import { textOf } from "./pages";

/** Repository and tag. */
function partsOf(image: string): { readonly name: string; readonly tag: string } {
    const [, name = "", tag = ""] = /^.*\/([^:]+):([^@]+)/.exec(image) ?? [];
    return { name, tag };
}

/** Images of a release next to those that tests build in their place. */
function pairs(): { readonly release: string; readonly tested: string }[] {
    const pinned = cloudImagesFor(versions.kubernetes);
    const built = {
        ...builtVolumeImages,
        awsCloudController: builtAwsCloudController,
        clusterAutoscaler: builtClusterAutoscaler,
    };
    return [
        ...Object.entries(built).map(([key, tested]) => ({ release: pinned[key as keyof typeof built], tested })),
        { release: images.flannelCniPlugin, tested: `flannel-cni-plugin:v${versions.flannelCniPlugin}` },
    ];
}

describe("docs/tested.md", () => {
    it("lists every program of which tests run another version than a release deploys", () => {
        const rows = pairs().flatMap(({ release, tested }) => {
            const { name, tag } = partsOf(release);
            const { tag: own } = partsOf(`/${tested}`);
            return tag === own ? [] : [[`\`${name}\``, tag, own].join("|")];
        });
        const table = textOf("docs/tested.md").split("## Other versions than deployed")[1]?.split("\n## ")[0] ?? "";
        const listed = [...table.matchAll(/^\| (`.*?) *\| (\S+) *\| (\S+)/gm)].map((row) => row.slice(1).join("|"));
        assert.deepEqual(listed.sort(), rows.sort());
    });
});
