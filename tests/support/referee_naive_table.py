"""The table of the naive turn: its monsters, and the plainest changes to it.

It also writes down the scenario (`referee_naive`).
"""

from __future__ import annotations

from random import Random
from typing import Any

from tests.support.referee_naive_numbers import (
    ATTACK,
    DEFENCE,
    KINDS,
    NOT_DARK,
    ONLY_DARK,
    OTHER,
    PRICES,
    TILES,
    classic_damage,
    claws,
)

Monster = dict[str, Any]


class Table:
    """A random table; P1 is active."""

    def __init__(self, rules: str, rng: Random) -> None:
        self.rules = rules
        self.rng = rng
        self.script: list[dict[str, Any]] = []
        self.asked: set[str] = set()
        self.winged: set[str] = set()
        self.jumped: set[str] = set()
        self.out: set[str] = set()
        self.zombies: set[str] = set()
        self.roar: str | None = None
        self.dice = ""
        self.hurt_anybody = False
        self.alpha_paid = False
        names = [f"P{number}" for number in range(1, rng.randint(2, 6) + 1)]
        self.all = {name: self._monster(name) for name in names}
        self.me = self.all["P1"]
        self._seat_in_tokyo(names)
        self._deal()
        goods = [name for name in PRICES if self._in_deck(name)]
        self.goods = rng.sample(goods, len(goods))
        self.market, self.deck = self.goods[:3], self.goods[3:]
        self.start = {
            name: dict(m, cards=list(m["cards"]), tiles=list(m["tiles"]))
            for name, m in self.all.items()
        }

    # The table

    def _monster(self, name: str) -> Monster:
        rng = self.rng
        return {
            "name": name,
            "hearts": rng.choice((1, 2, 3, 4, 6, 9, 10)),
            "points": rng.choice((0, 1, 2, 5, 9, 15, 17, 18, 19)),
            "energy": rng.choice((0, 0, 1, 2, 3, 5, 7, 12)),
            "at": "outside",
            "cards": [],
            "tiles": [],
            "poison": 0,
            "shrink": 0,
            "wickedness": 0,
        }

    def _seat_in_tokyo(self, names: list[str]) -> None:
        if self.rng.random() < 0.85:
            self.all[self.rng.choice(names)]["at"] = "city"
        if len(names) >= 5 and self.rng.random() < 0.6:
            free = [name for name in names if self.all[name]["at"] == "outside"]
            self.all[self.rng.choice(free)]["at"] = "bay"

    def _in_deck(self, card: str) -> bool:
        if self.rules == "dark":
            return card not in NOT_DARK
        return card not in ONLY_DARK

    def _deal(self) -> None:
        mine = [card for card in (*ATTACK, *OTHER, "Armor Plating", "Camouflage", "Wings")
                if self._in_deck(card)]  # fmt: skip
        self.me["cards"] = self.rng.sample(mine, self.rng.randint(0, 6))
        left = [c for c in DEFENCE if self._in_deck(c) and c not in self.me["cards"]]
        for card in left:
            if len(self.all) > 1 and self.rng.random() < 0.6:
                owner = self.rng.choice([m for m in self.all.values() if m is not self.me])
                owner["cards"].append(card)
        if self.rules == "dark":
            self._deal_tiles()
        if self.rng.random() < 0.3:
            self.me["poison"] = self.rng.randint(0, 3)
            self.me["shrink"] = self.rng.randint(0, 2)

    def _deal_tiles(self) -> None:
        """P1 gets tiles of some steps, and a neighbour now and then gets Final Roar."""
        for tiles in TILES.values():
            if self.rng.random() < 0.5:
                self.me["tiles"].append(self.rng.choice(self.rng.choice(tiles)))
        if not {"Eternal", "Final Roar"} & set(self.me["tiles"]) and self.rng.random() < 0.3:
            self.rng.choice(list(self.all.values())[1:])["tiles"].append("Final Roar")

    # Small things

    def has(self, monster: Monster, card: str) -> bool:
        return card in monster["cards"] or card in monster["tiles"]

    def most(self, monster: Monster) -> int:
        if monster["name"] in self.zombies:
            return 12
        return 12 if any(self.has(monster, c) for c in ("Even Bigger", "Full Regeneration")) else 10

    def gain_points(self, monster: Monster, points: int) -> None:
        monster["points"] = max(0, min(20, monster["points"] + points))

    def gain_energy(self, monster: Monster, energy: int) -> None:
        if energy > 0:
            monster["energy"] += energy + self.has(monster, "Friend of Children")

    def heal(self, monster: Monster, hearts: int) -> None:
        if hearts > 0:
            hearts += self.has(monster, "Regeneration")
            monster["hearts"] = min(self.most(monster), monster["hearts"] + hearts)

    def alive(self) -> list[Monster]:
        return [m for m in self.all.values() if m["name"] not in self.out]

    def in_tokyo(self, monster: Monster) -> bool:
        return bool(monster["at"] != "outside")

    def at(self, place: str) -> Monster | None:
        return next((m for m in self.all.values() if m["at"] == place), None)

    def clockwise(self) -> list[Monster]:
        """All monsters from the left of P1 on, P1 last."""
        return [*list(self.all.values())[1:], self.me]

    def owned(self) -> list[str]:
        return [*self.me["cards"], *self.me["tiles"]]

    def find_neighbours(self) -> list[Monster]:
        ring = self.alive()
        if len(ring) < 2:
            return []
        here = ring.index(self.me)
        left, right = ring[(here + 1) % len(ring)], ring[here - 1]
        return [left] if left is right else [left, right]

    def targets(self) -> list[Monster]:
        me = self.me
        others = [m for m in self.clockwise() if m is not me and m["hearts"] > 0]
        if self.has(me, "Nova Breath"):
            return others
        return [m for m in others if self.in_tokyo(m) != self.in_tokyo(me)]

    def cards_hit(self) -> bool:
        """Whether P1 has claws, or in classic damage to a target, if no die shows a claw."""
        if self.rules == "classic":
            here = self.in_tokyo(self.me)
            return any(
                classic_damage(self.dice, self.me["cards"], here, self.in_tokyo(target))
                for target in self.targets()
            )
        return claws(self.dice, self.owned(), self.in_tokyo(self.me)) > 0

    def say(self, monster: Monster, do: str, **more: Any) -> None:
        self.script.append({"by": monster["name"], "do": do, **more})

    def winners(self) -> list[str] | None:
        """The winners; None if the game goes on."""
        if self.roar is not None:
            return [self.roar]
        alive = self.alive()
        if len(alive) < 2:
            return [m["name"] for m in alive]
        return [m["name"] for m in alive if m["points"] >= 20] or None

    # As a scenario

    def scenario(self) -> dict[str, Any]:
        """The turn as a scenario: script and expectations."""
        winners = self.winners()
        over: dict[str, Any] = {"over": winners is not None}
        if winners is not None:
            over["winners"] = winners
        questions = {f"{name} {kind}" for name in self.all for kind in KINDS}
        return {
            "id": "naive",
            "rules": [self.rules],
            "active": "P1",
            "market": self.goods[:3],
            "deck": self.goods[3:],
            "seats": list(self.start.values()),
            "script": self.script,
            "expect": {
                **{
                    m["name"]: {
                        "alive": m["hearts"] > 0,
                        **{key: value for key, value in m.items() if key != "name"},
                    }
                    for m in self.all.values()
                },
                "table": {
                    **over,
                    "asked": sorted(self.asked),
                    "not_asked": sorted(questions - self.asked),
                },
            },
        }
