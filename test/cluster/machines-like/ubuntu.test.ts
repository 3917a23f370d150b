import { describeLong } from "../../takes-long";
import { describeBareMachine } from "./bare-machine";
import { likeCluster } from "./like-cluster";
import { systems } from "./systems";

describeBareMachine("ubuntu", systems.ubuntu);

describeLong("a cluster of machines like Ubuntu", likeCluster("ubuntu", systems.ubuntu, "cloud-init"));
