"""A turn of King of Tokyo in the plainest possible way, to hold against the referee.

Scope: it was written from the text of the rules alone, imports nothing of `referee`, and shares no
structure with it. It is one long turn, step by step, with names of cards in the middle of the
rules, numbers in plain dicts, and answers drawn as they come. While it plays, it writes down the
script and the expectations of a scenario (tests/scenario/README.md). So each difference between it
and the referee is a scenario to argue about.

It knows the cards that change hearts, points and energy: cards that add to attacks, lessen damage
or follow losses, the Discard cards, and the tiles that work without a choice.

Not here: copies, Opportunists and cards that change dice.
"""

from __future__ import annotations

from tests.support.referee_naive_numbers import (
    GROUPS,
    POINTS,
    PRICES,
    TILES,
    TO_BUYER,
    TO_OTHERS,
    classic_damage,
    claws,
    number_points,
    price,
    wickedness,
)
from tests.support.referee_naive_table import Monster, Table


class Turn(Table):
    """One turn of P1; afterwards `scenario()` says what should have happened."""

    def play(self) -> Turn:
        me = self.me
        for tile in me["tiles"]:
            self.heal(me, tile == "Eternal")
            self.gain_energy(me, tile == "Tireless")
            self.gain_points(me, tile == "Sonic Boomer")
            if tile == "Defender of Tokyo" and self.in_tokyo(me):
                self.rob_others()
        if self.in_tokyo(me):
            self.gain_points(me, 2)
            if self.has(me, "Urbavore"):
                self.gain_points(me, 1)
        number = max(0, 6 + self.has(me, "Cyberbrain") - me["shrink"])
        dice = "".join(self.rng.choice(self.rng.choice(("123HBC", "CC2H", "1C", "222C3")))
                       for _ in range(number))  # fmt: skip
        if number:
            self.script.append({"dice": dice})
        self.dice = dice
        if self.rules == "dark":
            self.set_marker()
        self.resolve()
        if me["hearts"] > 0:
            self.enter()
        if me["hearts"] > 0:
            self.buy()
        if me["hearts"] > 0:
            self.end()
        return self

    def rob_others(self) -> None:
        for monster in self.alive():
            if monster is not self.me:
                self.gain_points(monster, -1)

    def set_marker(self) -> None:
        """A place from which these dice reach no step, except steps whose tile P1 has."""
        gain = sum(wickedness(face, self.dice.count(str(face))) for face in (1, 2))
        owned = [
            step
            for step, tiles in TILES.items()
            if any(side in self.me["tiles"] for tile in tiles for side in tile)
        ]
        steps = [step for step in TILES if step not in owned]
        quiet = [w for w in range(11) if not any(w < step <= w + gain for step in steps)]
        self.me["wickedness"] = self.start["P1"]["wickedness"] = self.rng.choice(quiet)

    def resolve(self) -> None:
        me, dice = self.me, self.dice
        held = [group for group in GROUPS if group in dice]
        order = list(held)
        if self.cards_hit() and "C" not in held and self.rng.random() < 0.5:
            order.append("C")
        if len(held) >= 2 and self.rng.random() < 0.7:
            self.rng.shuffle(order)
            self.say(me, "order", groups=list(order))
        if "C" not in order:
            order.append("C")  # claws of cards alone that were left out come last
        if {"1", "2", "3"} <= set(dice) and self.has(me, "Detritivore"):
            self.gain_points(me, 2)
        faces = set(dice)
        if self.rules != "classic" and claws(dice, self.owned(), self.in_tokyo(me)):
            faces.add("C")
        if faces == set(GROUPS) and self.has(me, "Complete Destruction"):
            self.gain_points(me, 9)
        self.neighbours = self.find_neighbours()
        for group in order:
            if me["hearts"] > 0:
                self.resolve_group(group, dice.count(group))

    def resolve_group(self, group: str, count: int) -> None:
        me = self.me
        if group in "123":
            self.gain_points(me, number_points(int(group), count))
            if self.rules == "dark":
                me["wickedness"] = min(10, me["wickedness"] + wickedness(int(group), count))
            if group == "1" and count >= 3 and self.has(me, "Gourmet"):
                self.gain_points(me, 2)
            if group == "1" and count >= 3 and self.has(me, "Skulking"):
                self.gain_points(me, 1)
        elif group == "B":
            self.gain_energy(me, count)
            if self.has(me, "Skybeam"):
                self.gain_energy(me, count)
        elif group == "H":
            self.hearts(count)
        else:
            self.claws()

    def hearts(self, count: int) -> None:
        me = self.me
        if self.in_tokyo(me) or not count:
            return
        poison = shrink = 0
        heal = count
        if me["poison"] or me["shrink"]:
            poison = self.rng.randint(0, min(count, me["poison"]))
            shrink = self.rng.randint(0, min(count - poison, me["shrink"]))
            heal = self.rng.randint(0, count - poison - shrink)
            self.say(me, "hearts", heal=heal, poison=poison, shrink=shrink)
        me["poison"] -= poison
        me["shrink"] -= shrink
        self.heal(me, heal)
        if self.has(me, "Skybeam"):
            self.heal(me, heal)

    # Claws

    def claws(self) -> None:
        me, dice = self.me, self.dice
        total = claws(dice, self.owned(), self.in_tokyo(me))
        attack = "C" in dice if self.rules == "classic" else total > 0
        others = [m for m in self.clockwise() if m is not me and m["hearts"] > 0]
        targets = self.targets()
        packets: list[tuple[Monster, int, bool]] = []
        self.points_before = me["points"]
        fire = self.has(me, "Fire Breathing") and attack
        if self.rules == "classic" and not targets:
            fire = False
        for monster in others:
            amount = 0
            if any(monster is target for target in targets):
                amount = total
                if self.rules == "classic":
                    amount = classic_damage(
                        dice, me["cards"], self.in_tokyo(me), self.in_tokyo(monster)
                    )
            is_claw = attack and amount > 0
            if fire and any(monster is near for near in self.neighbours):
                amount += 1
            if amount:
                packets.append((monster, amount, is_claw))
        if self.rules != "classic" and attack and self.has(me, "Alpha Monster"):
            self.gain_points(me, 1)
        self.land(packets)

    def land(self, packets: list[tuple[Monster, int, bool]]) -> None:
        were_in = {m["name"] for m, _, _ in packets if self.in_tokyo(m)}
        waiting: list[tuple[Monster, int]] = []
        wounded = set()
        for monster, amount, is_claw in packets:
            if monster["hearts"] <= 0:
                continue
            if is_claw and self.has(monster, "Jets") and self.in_tokyo(monster):
                waiting.append((monster, amount))
            elif self.damage(monster, amount, self.me, is_claw) and is_claw:
                wounded.add(monster["name"])
        yielders = self.yields(were_in, waiting, wounded)
        for monster, amount in waiting:
            if not any(monster is gone for gone in yielders) and monster["hearts"] > 0:
                self.damage(monster, amount, self.me, True)
        for monster in yielders:
            if self.has(monster, "Burrowing") and self.me["hearts"] > 0:
                self.damage(self.me, 1, monster, False)

    def yields(
        self, were_in: set[str], waiting: list[tuple[Monster, int]], wounded: set[str]
    ) -> list[Monster]:
        """3.7.6: the City first, then the Bay."""
        yielders = []
        for place in ("city", "bay"):
            monster = self.at(place)
            if monster is None or monster["name"] not in were_in:
                continue
            pending = [amount for m, amount in waiting if m is monster]
            worth = pending and not (pending[0] == 1 and self.has(monster, "Armor Plating"))
            if monster["name"] not in wounded and not worth:
                continue
            self.asked.add(f"{monster['name']} yield")
            if self.rng.random() < 0.5:
                self.say(monster, "yield")
                yielders.append(monster)
            else:
                self.say(monster, "stay")
        for monster in yielders:
            monster["at"] = "outside"
        return yielders

    # Damage

    def damage(self, victim: Monster, amount: int, dealer: Monster | None, is_claw: bool) -> bool:
        """3.7.4 b to f; True if a heart was lost."""
        amount = self.respond(victim, amount)
        if victim["name"] in self.winged or amount == 0:
            return False
        if amount == 1 and self.has(victim, "Armor Plating"):
            return False
        lost = min(victim["hearts"], amount)
        victim["hearts"] -= lost
        if dealer is self.me:
            self.hurt_anybody = True
        if is_claw:
            victim["poison"] += self.has(self.me, "Poison Spit")
            victim["shrink"] += self.has(self.me, "Shrink Ray")
            if self.rules == "classic" and not self.alpha_paid:
                self.alpha_paid = True
                if self.has(self.me, "Alpha Monster"):
                    self.gain_points(self.me, 1)
            if self.has(self.me, "Underdog") and victim["points"] > self.points_before:
                self.gain_points(victim, -1)
                self.gain_points(self.me, 1)
        if lost >= 2 and self.has(victim, "We're Only Making It Stronger"):
            self.gain_energy(victim, 1)
        stung = dealer is not None and dealer is not victim and dealer["hearts"] > 0
        if dealer is not None and stung and self.has(victim, "Reflective Hide"):
            self.damage(dealer, 1, victim, False)
        if victim["hearts"] == 0:
            self.fall(victim)
        return True

    def respond(self, victim: Monster, amount: int) -> int:
        """Ask until the victim passes or no damage is left to answer."""
        rolled = False
        name = victim["name"]
        while amount > 0 and name not in self.winged:
            if amount == 1 and self.has(victim, "Armor Plating"):
                break  # it would do nothing, so there is nothing to answer (as A-69 for Jets)
            ways = []
            if self.has(victim, "Camouflage") and not rolled:
                ways.append("Camouflage")
            if self.has(victim, "Wings") and victim["energy"] >= 2:
                ways.append("Wings")
            if self.has(victim, "Super Jump") and victim["energy"] and name not in self.jumped:
                ways.append("Super Jump")
            if not ways:
                break
            self.asked.add(f"{name} response")
            way = self.rng.choice([*ways, "pass"])
            if way == "pass":
                self.say(victim, "pass")
                break
            self.say(victim, "use", card=way)
            if way == "Camouflage":
                rolled = True
                faces = "".join(self.rng.choice("1HHC") for _ in range(amount))
                self.script.append({"dice": faces})
                amount -= faces.count("H")
            elif way == "Wings":
                victim["energy"] -= 2
                self.winged.add(name)
            else:
                victim["energy"] -= 1
                self.jumped.add(name)
                amount -= 1
        return amount

    def fall(self, victim: Monster) -> None:
        """3.7.5."""
        victim["at"] = "outside"
        roars = self.has(victim, "Final Roar") and victim["points"] >= 16
        rises = self.has(victim, "Zombify") and victim["name"] not in self.zombies
        victim["points"] = 0
        victim["tiles"] = []
        victim["wickedness"] = 0
        if rises and not roars:
            self.zombies.add(victim["name"])
            victim.update(cards=["Zombify"], hearts=12)
        elif self.has(victim, "It Has a Child") and not roars:
            victim.update(cards=[], hearts=10)
        else:
            if roars and self.roar is None:
                self.roar = victim["name"]
            self.out.add(victim["name"])
            victim.update(cards=[], energy=0, poison=0, shrink=0)
        for monster in self.alive():
            if self.has(monster, "Eater of the Dead"):
                self.gain_points(monster, 3)
        bay = self.at("bay")
        if len(self.alive()) < 5 and bay is not None:
            free = self.at("city") is None
            bay["at"] = "city" if free and self.rules != "classic" else "outside"

    # The rest of the turn

    def enter(self) -> None:
        me = self.me
        if self.in_tokyo(me) or (self.rules == "classic" and "C" not in self.dice):
            return
        if self.at("city") is None:
            me["at"] = "city"
        elif self.at("bay") is None and len(self.alive()) >= 5:
            me["at"] = "bay"
        else:
            return
        self.gain_points(me, 1)
        if self.has(me, "Defender of Tokyo"):
            self.rob_others()

    def cost(self, card: str) -> int:
        me = self.me
        return price(PRICES[card], self.has(me, "Alien Origin") + self.has(me, "Evil Lair"))

    def buy(self) -> None:
        me = self.me
        for _ in range(3):
            payable = [card for card in self.market if self.cost(card) <= me["energy"]]
            if not payable and me["energy"] < 2:
                return
            if me["energy"] < 2:
                self.say(me, "sweep", refused=True)
            elif self.rng.random() < 0.15 and len(self.deck) >= 6:
                self.say(me, "sweep")
                me["energy"] -= 2
                self.market, self.deck = self.deck[:3], self.deck[3:]
                continue
            card = self.rng.choice(self.market)
            if card not in payable:
                self.say(me, "buy", card=card, refused=True)
                continue
            self.say(me, "buy", card=card)
            me["energy"] -= self.cost(card)
            self.gain_points(me, self.has(me, "Media-Friendly") + self.has(me, "Have It All!"))
            self.market[self.market.index(card)] = self.deck.pop(0)
            self.bought(card)
            if me["hearts"] <= 0:
                return

    def bought(self, card: str) -> None:
        me = self.me
        others = [m for m in self.clockwise() if m is not me and m["hearts"] > 0]
        self.gain_points(me, POINTS.get(card, 0))
        if card == "Energize":
            self.gain_energy(me, 9)
        if card in ("Heal", "Nuclear Power Plant"):
            self.heal(me, 2 if card == "Heal" else 3)
        for monster in others:
            if card == "Evacuation Orders":
                self.gain_points(monster, -5)
            if card == "Monster Pets":
                self.gain_points(monster, -3)
            if card == "Vast Storm":
                monster["energy"] -= monster["energy"] // 2
        if card == "Monster Pets":
            self.gain_points(me, -3)
        for monster in others:
            if card in TO_OTHERS and monster["hearts"] > 0:
                self.damage(monster, TO_OTHERS[card], me, False)
        if card in TO_BUYER and me["hearts"] > 0:
            self.damage(me, TO_BUYER[card], me, False)

    def end(self) -> None:
        """3.12."""
        me = self.me
        fewest = all(m["points"] > me["points"] for m in self.alive() if m is not me)
        if self.has(me, "Rooting for the Underdog") and fewest:
            self.gain_points(me, 1)
        if self.has(me, "Energy Hoarder"):
            self.gain_points(me, me["energy"] // 6)
        if self.has(me, "Herbivore") and not self.hurt_anybody:
            self.gain_points(me, 1)
        if self.has(me, "Solar Powered") and me["energy"] == 0:
            self.gain_energy(me, 1)
        if me["poison"]:
            self.damage(me, me["poison"], None, False)
