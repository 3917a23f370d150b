import { versions } from "../../versions";
import { ecrCredentialProviderChecksums } from "../../versions/published-checksums";
import { ecrCredentialProviderUrl } from "../../versions/urls";
import { goPart } from "./go-part";

/** An S3-compatible store on a folder. Always built: its archives use other names for architectures. */
export const versitygw = goPart("versitygw", versions.versitygw, {
    module: "github.com/versity/versitygw",
    binaries: { versitygw: "github.com/versity/versitygw/cmd/versitygw" },
    ldflags: [`-X main.Version=v${versions.versitygw}`],
});

/** Turns Butane into Ignition, for machines that join by a token. Always built: its release has no list of checksums. */
export const butane = goPart("butane", versions.butane, {
    module: "github.com/coreos/butane",
    binaries: { butane: "github.com/coreos/butane/internal" },
    ldflags: [`-X github.com/coreos/butane/internal/version.Raw=${versions.butane}`],
});

/** The cloud controller of AWS, which works in a simulated AWS. Always built: this version has no image. */
export const awsCloudController = goPart("aws-cloud-controller", versions.awsCloudController, {
    module: "k8s.io/cloud-provider-aws",
    homepage: "https://github.com/kubernetes/cloud-provider-aws",
    binaries: {
        "aws-cloud-controller-manager": "k8s.io/cloud-provider-aws/cmd/aws-cloud-controller-manager",
    },
});

/**
 * The kubelet's credential provider for ECR. Machines on AWS download it; here only tests run it. Its checksums are those
 * that kubernetes/k8s.io promotes.
 */
export const ecrCredentialProvider = goPart("ecr-credential-provider", versions.ecrCredentialProvider, {
    module: "k8s.io/cloud-provider-aws",
    homepage: "https://github.com/kubernetes/cloud-provider-aws",
    binaries: { "ecr-credential-provider": "k8s.io/cloud-provider-aws/cmd/ecr-credential-provider" },
    served: {
        "ecr-credential-provider": `ecr-credential-provider/v${versions.ecrCredentialProvider}/ecr-credential-provider`,
    },
    official: {
        kind: "binaries",
        url: ecrCredentialProviderUrl,
        checksum: `${ecrCredentialProviderUrl}.sha256`,
        sha256: ecrCredentialProviderChecksums,
    },
});

/**
 * cluster-autoscaler with only the AWS provider, which works in a simulated AWS. Always built, as the cloud controller
 * is.
 */
export const clusterAutoscaler = goPart("cluster-autoscaler", versions.clusterAutoscaler, {
    module: "k8s.io/autoscaler/cluster-autoscaler",
    homepage: "https://github.com/kubernetes/autoscaler",
    tags: ["aws"],
    // For provisioning requests, which are disabled. The version with their v1 API is not available.
    renamed: {
        module: "k8s.io/autoscaler/cluster-autoscaler/apis@v0.0.0-20240627115740-d52e4b9665d7",
        folder: "apis",
        from: "v1beta1",
        to: "v1",
        added: { "annotations.go": "provisioningrequest/autoscaling.x-k8s.io/v1/annotations.go" },
    },
    sources: ["annotations.go"],
});

/** Simulates the kubelets of nodes that do not exist, for benchmarks. Always built: only its images have checksums. */
export const kwok = goPart("kwok", versions.kwok, {
    module: "sigs.k8s.io/kwok",
    homepage: "https://github.com/kubernetes-sigs/kwok",
    binaries: { kwok: "sigs.k8s.io/kwok/cmd/kwok" },
});

/** Checks nodes against the CIS benchmark. Always built: its archives use other names for architectures. */
export const kubeBench = goPart("kube-bench", versions.kubeBench, {
    module: "github.com/aquasecurity/kube-bench",
});

/**
 * Generates a package's SDK for Python or Go. `pulumi package add` has the language host do this, but there is no host
 * here.
 */
export const pulumiGenerateSdk = goPart("pulumi-generate-sdk", versions.pulumi, {
    module: "github.com/pulumi/pulumi/pkg/v3",
    binaries: { "pulumi-generate-sdk": "tradewind/pulumi-generate-sdk" },
    sources: ["main.go"],
});

/**
 * The language host of YAML programs. Pulumi's archive includes it where that could be downloaded; built in every case.
 */
export const pulumiLanguageYaml = goPart("pulumi-language-yaml", versions.pulumiYaml, {
    module: "github.com/pulumi/pulumi-yaml",
    binaries: { "pulumi-language-yaml": "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml" },
});

/** Pulumi's SDK for Python from the Python package index, with the checksums of `artifacts/python/requirements.txt`. */
export const pulumiPython = {
    name: "pulumi-python",
    version: versions.pulumi,
    licence: "Apache-2.0",
    homepage: "https://github.com/pulumi/pulumi",
} as const;
