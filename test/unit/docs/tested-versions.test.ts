import assert from "node:assert/strict";
import { basename } from "node:path";
import { builtAwsCloudController, builtClusterAutoscaler, builtVolumeImages } from "../../../artifacts/test-recipes";
import { versions } from "../../../versions";
import { cloudImagesFor } from "../../../versions/cloud-images";
import { images, mirrorPath } from "../../../versions/images";
import { textOf } from "./pages";

/** An image's last name and its tag. */
function nameAndTag(image: string): { readonly name: string; readonly tag: string } {
    const { repository, tag } = mirrorPath(image.split("@")[0]!);
    return { name: basename(repository), tag };
}

/** Images of a release next to those that tests build in their place. */
function pairs(): (readonly [release: string, tested: string])[] {
    const pinned = cloudImagesFor(versions.kubernetes);
    const { flannelCniPlugin } = images;
    return [
        [pinned.awsCloudController, builtAwsCloudController],
        [pinned.clusterAutoscaler, builtClusterAutoscaler],
        ...Object.entries(builtVolumeImages).map(
            ([key, tested]) => [pinned[key as keyof typeof builtVolumeImages], tested] as const,
        ),
        [flannelCniPlugin, flannelCniPlugin.replace(/:.*/, `:v${versions.flannelCniPlugin}`)],
    ];
}

describe("docs/tested.md", () => {
    it("lists every program of which tests run another version than a release deploys", () => {
        const rows = pairs().flatMap(([release, tested]) => {
            const [{ name, tag }, { tag: own }] = [nameAndTag(release), nameAndTag(tested)];
            return tag === own ? [] : [`\`${name}\`|${tag}|${own}`];
        });
        const table = textOf("docs/tested.md").split("## Other versions than deployed")[1]?.split("\n## ")[0] ?? "";
        const listed = [...table.matchAll(/^\| (`.*?) *\| (\S+) *\| (\S+)/gm)].map((row) => row.slice(1).join("|"));
        assert.deepEqual(listed.sort(), rows.sort());
    });
});
