import { type KubernetesVersion, versions } from ".";

/** SHA-256 of a file that its project publishes. */
export interface PublishedChecksum {
    readonly sha256: string;
    /** Public lists that have it. One is enough if it is generated from what the project publishes, as kops' is. */
    readonly sources: readonly string[];
}

export type Published = Readonly<Record<"amd64" | "arm64", PublishedChecksum>>;

/** kops generates its lists from the checksum files of each release, such as `SHA256SUMS` of Kubernetes. */
const kops = (file: string, commit: string) => `kubernetes/kops pkg/assets/assetdata/${file} at ${commit}`;
const kubernetes137 = kops("k8s-1.37.yaml", "9b02081e1498311106ad903f4b2f36ba4f917e0d");
const kubernetes136 = kops("k8s-1.36.yaml", "347983e454d2ad9f5dbf80f4b2b42d558976bce6");
const kubernetes135 = kops("k8s-1.35.yaml", "395caf805e4ab9b8833203a795d828615097787f");
const cni = kops("cni-1.9.yaml", "c11b31c36fcb626ef6047ffe5f44dd7c9e439d2e");
const runc = kops("runc-1.4.yaml", "33ba80b38cceb6aa0e95eb85f8bc6a88c7131073");
const kubesprayOf = (commit: string) =>
    `kubernetes-sigs/kubespray roles/kubespray_defaults/vars/main/checksums.yml at ${commit}`;
/** As a public description of kubespray's variables quotes it. */
const kubespray = kubesprayOf("v2.31.0");
/** Its kubelets of 1.34.0 to 1.34.3 have the same checksums as in kops. */
const kubespray134 = kubesprayOf("005bdce7f1867958838a2d0bb4f7e67893d98f64");

/** Kubelets of the tested versions. No public list that was accessible when this was written has those of 1.37.2. */
export const kubeletChecksums = {
    "1.37.1": {
        amd64: {
            sha256: "cee008c1640c3b41820ef31d35b3cffc132b0c4b78c288be2b8022ebc7aa8293",
            sources: [kubernetes137],
        },
        arm64: {
            sha256: "03e64bb3e1611d1b9ea40095b382af014bd2aa0b5f1b6670af6bbfaa0b735443",
            sources: [kubernetes137],
        },
    },
    // Only kops lists this version's kubelets. Other projects have the same checksum of its kubectl as kops.
    "1.36.3": {
        amd64: {
            sha256: "46707a53209f826ad0f0d62371ac69cd00e78fd9a8176cf5f6f87f18f7f8b718",
            sources: [kubernetes136],
        },
        arm64: {
            sha256: "57205a5daf5883873d87b4914e1e00bdd7707acd075714788cfb0fc1f60bc414",
            sources: [kubernetes136],
        },
    },
    "1.36.2": {
        amd64: {
            sha256: "3ba68cb4f0906053c08ab843131d5cec559cf8c718dbd679950a078b306abbb4",
            sources: [
                kubernetes136,
                "asciich/asciichgolangpublic pkg/kubernetesutils/kubeletutils/install.go at 92da5b83fe39bd4437e5ad6dbbf84c0dc362d735",
            ],
        },
        arm64: {
            sha256: "b0b45db96f0e6bf996780b8a2b8d868bf538dc7c3a60cf604cf0ea2d65c24b06",
            sources: [kubernetes136],
        },
    },
    "1.35.4": {
        amd64: {
            sha256: "983a6ba5a49823dcdd745c674e5e2416377dd27d6ad1b42d2befa0fb961a19f6",
            sources: [kubernetes135],
        },
        arm64: {
            sha256: "d710eef03bb4ad164bb77af9be5b11b44f874e2fc08153c7d383420d685f73e8",
            sources: [kubernetes135, kubespray],
        },
    },
    "1.34.4": {
        amd64: {
            sha256: "03b8fea715a7ef82eeaf518dee34c72670c57cc7bc40dc1320c04fbf4f15172f",
            sources: [kubespray134],
        },
        arm64: {
            sha256: "c78845473c434ee85a2444eeab87f8b20f524e3ab6854a078f79468f44aad8f5",
            sources: [kubespray134],
        },
    },
} as const satisfies Partial<Record<KubernetesVersion, Published>>;

/** Archives of {@link versions.cniPlugins}. */
export const cniPluginsChecksums: Published = {
    amd64: { sha256: "b98f74a0f8522f0a83867178729c1aa70f2158f90c45a2ca8fa791db1c76b303", sources: [cni] },
    arm64: { sha256: "56171987d3947707c3563db2f4001bccaf50fd63468611b9f3cbecb1375ee7ec", sources: [cni, kubespray] },
};

/** Binaries of {@link versions.runc}. No public list has the static archives of {@link versions.containerd}. */
export const runcChecksums: Published = {
    amd64: { sha256: "f6ae8efc0fa40079e1475e97cbe9d1bd3f106a28d6af78a11d9f1bd565515e60", sources: [runc] },
    arm64: { sha256: "633301e2e32f8a5ad54031aab4901eb00308bec677dd15faa2751e8f9dab5ca4", sources: [runc] },
};

/** The kubelet's credential provider for ECR, as kubernetes/k8s.io promotes it. */
export const ecrCredentialProviderChecksums: Readonly<Record<"amd64" | "arm64", string>> = {
    amd64: "59a6fc141dc08cd0661d885d2cf8993df42f62cc2bd7a08902dde63f47e0b384",
    arm64: "96b58e09522e47cf653065a104809ecba439630eaabea42db2dcb9ccedb1ed62",
};
