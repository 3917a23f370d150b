import type { Part } from "../part";
import { versions } from "./versions";

/** An S3-compatible store on a folder. Built in every case: its archives are named by other architectures' names. */
export const versitygw: Part = {
    name: "versitygw",
    version: versions.versitygw,
    licence: "Apache-2.0",
    homepage: "https://github.com/versity/versitygw",
    go: {
        folder: "versitygw",
        module: `github.com/versity/versitygw@v${versions.versitygw}`,
        binaries: { versitygw: "github.com/versity/versitygw/cmd/versitygw" },
        ldflags: [`-X main.Version=v${versions.versitygw}`],
    },
};

/** The cloud controller of AWS, which works in a simulated AWS. Built in every case: there is no image of this version. */
export const awsCloudController: Part = {
    name: "aws-cloud-controller",
    version: versions.awsCloudController,
    licence: "Apache-2.0",
    homepage: "https://github.com/kubernetes/cloud-provider-aws",
    go: {
        folder: "aws-cloud-controller",
        module: `k8s.io/cloud-provider-aws@v${versions.awsCloudController}`,
        binaries: {
            "aws-cloud-controller-manager": "k8s.io/cloud-provider-aws/cmd/aws-cloud-controller-manager",
        },
    },
};

/** cluster-autoscaler, of AWS alone, which works in a simulated AWS. Built in every case, as the cloud controller is. */
export const clusterAutoscaler: Part = {
    name: "cluster-autoscaler",
    version: versions.clusterAutoscaler,
    licence: "Apache-2.0",
    homepage: "https://github.com/kubernetes/autoscaler",
    go: {
        folder: "cluster-autoscaler",
        module: `k8s.io/autoscaler/cluster-autoscaler@v${versions.clusterAutoscaler}`,
        binaries: { "cluster-autoscaler": "k8s.io/autoscaler/cluster-autoscaler" },
        tags: ["aws"],
        // Of provisioning requests, which are off. The version with their v1 is not to be had.
        renamed: {
            module: "k8s.io/autoscaler/cluster-autoscaler/apis@v0.0.0-20240627115740-d52e4b9665d7",
            folder: "apis",
            from: "v1beta1",
            to: "v1",
            added: { "annotations.go": "provisioningrequest/autoscaling.x-k8s.io/v1/annotations.go" },
        },
        sources: ["annotations.go"],
    },
};

/** Writes a package's SDK for Python or Go, which is what `pulumi package add` has a language host do, where there is none. */
export const pulumiGenerateSdk: Part = {
    name: "pulumi-generate-sdk",
    version: versions.pulumi,
    licence: "Apache-2.0",
    homepage: "https://github.com/pulumi/pulumi",
    go: {
        folder: "pulumi-generate-sdk",
        module: `github.com/pulumi/pulumi/pkg/v3@v${versions.pulumi}`,
        binaries: { "pulumi-generate-sdk": "tradewind/pulumi-generate-sdk" },
        sources: ["main.go"],
    },
};

/** The language host of programs in YAML. Pulumi's archive has it, where that could be fetched; built in every case. */
export const pulumiLanguageYaml: Part = {
    name: "pulumi-language-yaml",
    version: versions.pulumiYaml,
    licence: "Apache-2.0",
    homepage: "https://github.com/pulumi/pulumi-yaml",
    go: {
        folder: "pulumi-language-yaml",
        module: `github.com/pulumi/pulumi-yaml@v${versions.pulumiYaml}`,
        binaries: { "pulumi-language-yaml": "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml" },
    },
};

/** Pulumi's SDK for Python, as the Python package index has it, with the checksums of `artifacts/python/requirements.txt`. */
export const pulumiPython = {
    name: "pulumi-python",
    version: versions.pulumi,
    licence: "Apache-2.0",
    homepage: "https://github.com/pulumi/pulumi",
} as const;
