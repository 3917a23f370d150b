import assert from "node:assert/strict";
import { commonRecipes, etcdRecipe, kubernetesRecipes } from "../../../artifacts/recipes";
import { ETCD_VERSIONS, KUBERNETES_VERSIONS, versions } from "../../../versions";
import { images, imagesFor, mirrorPath } from "../../../versions/images";

describe("images", () => {
    it("have the names that a node requests from the mirror", () => {
        assert.deepEqual(mirrorPath(images.kubeApiserver), {
            repository: "kube-apiserver",
            tag: `v${versions.kubernetes}`,
        });
        assert.equal(mirrorPath(images.etcd).repository, "coreos/etcd");
        assert.equal(mirrorPath(images.coredns).repository, "coredns/coredns");
        assert.equal(mirrorPath(images.node).repository, "library/node");
    });

    it("differ between Kubernetes versions only in Kubernetes' own five", () => {
        const [newer, older] = [imagesFor("1.36.3"), imagesFor("1.35.4")];
        const differing = Object.keys(newer).filter((key) => newer[key as never] !== older[key as never]);
        assert.deepEqual(differing, [
            "kubeApiserver",
            "kubeControllerManager",
            "kubeScheduler",
            "kubeProxy",
            "kubelet",
        ]);
    });

    it("are all built", () => {
        for (const version of KUBERNETES_VERSIONS) {
            const made = [...commonRecipes(), ...kubernetesRecipes(version)].map(({ image }) => image);
            assert.deepEqual(made.sort(), Object.values(imagesFor(version)).sort());
        }
        for (const version of ETCD_VERSIONS) {
            assert.equal(etcdRecipe(version).image, imagesFor("1.36.3", version).etcd);
        }
    });

    it("never share a name in the mirror", () => {
        const names = [...commonRecipes(), ...KUBERNETES_VERSIONS.flatMap(kubernetesRecipes)].flatMap(
            ({ image, aliases = [] }) => [image, ...aliases],
        );
        const paths = names.map((name) => Object.values(mirrorPath(name)).join(":"));
        assert.deepEqual([...new Set(paths)], paths);
    });

    for (const image of ["busybox", "busybox:1.35", "docker.io/busybox"]) {
        it(`must have a full name, unlike ${image}`, () => {
            assert.throws(() => mirrorPath(image), {
                message: `image must be <registry>/<repository>:<tag> (got ${image})`,
            });
        });
    }
});
