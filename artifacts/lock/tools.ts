import { versions } from "../../versions";
import { goPart } from "./go-part";

export const pulumi = goPart("pulumi", versions.pulumi, {
    module: "github.com/pulumi/pulumi/pkg/v3",
    usedHere: true,
    binaries: { pulumi: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi" },
    ldflags: [`-X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=${versions.pulumi}`],
    official: {
        kind: "archive",
        url: `https://github.com/pulumi/pulumi/releases/download/v${versions.pulumi}/pulumi-v${versions.pulumi}-linux-{x64}.tar.gz`,
        checksum: `https://github.com/pulumi/pulumi/releases/download/v${versions.pulumi}/pulumi-${versions.pulumi}-checksums.txt`,
        folder: "pulumi",
        extra: ["pulumi-language-nodejs"],
    },
});

/** Node's official binary from the npm registry, with the registry's own checksums. */
export const node = {
    name: "node",
    version: versions.node,
    licence: "MIT",
    homepage: "https://github.com/nodejs/node",
    package: "node-linux-{x64}",
    integrity: {
        x64: "sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==",
        arm64: "sha512-l3DAHZreylo+p9QXDtsOrjG2JXJqVzYXnAGmIQNOUNARcMppTO2cmewVQP+36tjJnSE+dzpMNtgW+c3oiDvXtA==",
    },
} as const;
