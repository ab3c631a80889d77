"""The words of each language that a question is made of and a memory is not found by."""

from __future__ import annotations

from functools import cache

from vault_memory.model.fold import fold

STOP_WORDS = frozenset(
    "a about an and are as at be been by can could did do does for from had has have he her his how i if"
    " in is it its may might of on or s she that the their they this to was we were what when where which"
    " who why will with would you".split()
)
"""The English ones, left out of queries only, as written (folded, before stemming); texts keep them
for phrases."""

_FUNCTION_WORDS = {
    "german": (
        "aber alle allem allen aller alles als also am an andere anderen auch auf aus bei beim bin bis bist"
        " bitte da dabei dafür damit dann das dass dein deine dem den denn der des dich die dies diese"
        " diesem diesen dieser dieses dir doch dort du durch ein eine einem einen einer eines er es etwas"
        " euch euer für gegen gibt hab habe haben hat hatte hatten hier hin ich ihm ihn ihnen ihr ihre"
        " ihrem ihren ihrer im in ins ist ja jede jedem jeden jeder jedes jetzt kann kein keine keinen"
        " können könnte man mein meine meinem meinen meiner mich mir mit muss müssen nach nicht noch nun"
        " nur ob oder ohne schon sehr sein seine seinem seinen seiner sich sie sind so soll sollen sollte"
        " sollten über um und uns unser unsere unserem unseren unserer unter viel viele vom von vor wann"
        " war waren warum was wegen weil welche welchem welchen welcher welches wem wen wenn wer werde"
        " werden wessen wie wieder wieso wieviel will wir wird wo wofür woher wohin womit worüber wurde"
        " wurden zu zum zur zwischen"
    ),
    "french": (
        "a ai as au aucun aucune aux avec avez avoir avons c ça car ce cela celle celles celui ces cet"
        " cette ceux chez ci combien comme comment d dans de depuis des dois doit doivent donc dont du elle"
        " elles en encore entre es est et étaient était été être eu eux faire fait faut il ils j je jusqu l"
        " la laquelle le lequel les lesquelles lesquels leur leurs lui m ma mais me même mes moi mon n ne"
        " nos notre nous on ont ou où par pas peut peuvent peux plus pour pourquoi pouvez puis qu quand que"
        " quel quelle quelles quels qui quoi s sa sans se sera ses si sommes son sont sous suis sur t ta te"
        " tes toi ton tous tout toute toutes très tu un une va vers vont vos votre vous y"
    ),
    "spanish": (
        "a al algo algún alguna algunas algunos ante aquel aquella aquí así aún aunque cada como cómo con"
        " contra cuál cuáles cuando cuánta cuántas cuánto cuántos de debe deben debo del desde donde"
        " durante e el ella ellas ellos en entre era eran es esa esas ese eso esos esta estaba están estar"
        " estas este esto estos estoy fue fueron ha hace hacer hacia han hasta hay la las le les lo los más"
        " me mi mis mucho muy nada ni no nos nosotros nuestra nuestras nuestro nuestros o os otra otras"
        " otro otros para pero por porque puede pueden puedo pues que quien quienes se sea ser si sido sin"
        " sobre son soy su sus también tan te tenemos tener tengo ti tiene tienen toda todas todo todos tu"
        " tus un una unas uno unos usted ustedes va y ya yo"
    ),
    "portuguese": (
        "a ao aos aquela aquele aquilo as até cada com como da das de dela dele deles deve devem devo do"
        " dos e ela elas ele eles em entre era essa essas esse esses esta estão estar estas este estes"
        " estou eu foi foram há isso isto já lá lhe lhes mais mas me mesmo meu meus minha minhas muito na"
        " não nas nem no nos nossa nossas nosso nossos num numa o onde os ou para pela pelas pelo pelos"
        " pode podem podemos por porque posso quais qual quando quanta quantas quanto quantos que quem são"
        " se sem ser será seu seus só sua suas também te tem temos tenho ter teu toda todas todo todos tu"
        " um uma umas uns vai você vocês vou"
    ),
    "italian": (
        "a ad agli ai al alla alle allo anche c che chi ci ciò coi col come con cosa così cui d da dagli"
        " dai dal dalla dalle dallo degli dei del dell della delle dello deve devo devono di dove e ed era"
        " erano essere fa fare gli ha hai hanno ho i il in io l la le lei li lo loro lui ma me mi mia mie"
        " miei mio ne negli nei nel nell nella nelle nello noi non nostra nostre nostri nostro o ogni per"
        " perché più po possiamo posso possono può qual quale quali quando quanta quante quanti quanto"
        " quella quelle quelli quello questa queste questi questo qui s se sei senza si sia siamo sono sta"
        " stato su sua sue sui sul sull sulla sulle suo suoi te ti tra tu tua tuo tutta tutte tutti tutto"
        " un una uno va vi voi vostro"
    ),
    "dutch": (
        "aan al alle als ben bent bij dan dat de den der deze die dit doe doen doet door dus een eens en er"
        " ga gaan gaat geen haar had hadden heb hebben hebt heeft hem hen het hier hij hoe hoeveel hun ik"
        " in is ja je jij jou jouw jullie kan kun kunnen maar me mee men met mij mijn moet moeten mogen na"
        " naar niet nog nu of om omdat onder ons onze ook op over te tegen tot u uit uw van vanaf veel voor"
        " waar waarmee waarom wanneer want waren was wat we wel welk welke werd wie wij wil willen word"
        " worden wordt zal ze zich zij zijn zo zou"
    ),
    "swedish": (
        "alla allt att av blir bli de dem den denna deras dess det detta dig din du där efter ej eller en"
        " er ett från för ha hade han hans har hon hur här i icke inte jag ju kan kunna man med mellan men"
        " mig min mot mycket många nej ni nu när någon något några och om oss på sedan sig sin ska skulle"
        " så till under upp ut utan vad var varför vem vi vid vilka vilken vilket vår är över"
    ),
    "danish": (
        "af alle alt at blev blive bliver da de dem den denne der deres det dette dig din disse du efter"
        " eller en end er et for fra ham han hans har havde hendes her hun hvad hvem hver hvilke hvilken"
        " hvilket hvis hvor hvordan hvorfor hvornår i ikke ind jeg jer kan kunne man mange med meget mellem"
        " men mig min mod mon må ned noget nogle nu når og også om op os over på sig sin skal skulle som så"
        " til ud under var ved vi vil ville vor være været"
    ),
    "vietnamese": (
        "ai bao bị bởi các cái cho có của còn cũng do đã đang đâu để đến đi điều đó được gì hay hãy khi"
        " không là làm lại mà mấy mình một nào này nên nếu ngày nhiêu những như nhưng ở ra rằng rất sao sẽ"
        " tại tôi trong từ và vào vẫn vì với thế thì theo"
    ),
    "polish": (
        "a aby albo ale aż bez będę będzie bo być był była było były ci ciebie co czego czemu czy czyj czym"
        " dla dlaczego do gdy gdzie go i ich ile im ja jak jaka jaki jakich jakie jakim jednak jego jej"
        " jemu jest jestem jeśli już kiedy kim kogo komu kto która które który których którym lub ma mają"
        " mam mi mną mnie mogę moja moje mój może można my na nad nam nami nas nasz nasza nasze nawet nią"
        " nic nich nie niego niej nim o od on ona one oni ono oraz po pod ponieważ przed przez przy są się"
        " skąd swoja swój ta tak taki tam te tego tej temu ten to tu twój ty tych tylko tym u w wam was"
        " więc wy z za ze żeby"
    ),
    "turkish": (
        "acaba ama bana bazı ben beni benim bir biz bize bizim bu bunu çok da daha de diye gibi hangi"
        " hangisi hem hep her için ile ise kaç kadar ki kim kime kimin mi mı mu mü nasıl ne neden nerede"
        " nereden nereye niye o ona onun sen senin siz şu var ve veya ya yok"
    ),
    "russian": (
        "а без более бы был была были было быть в вам вас весь во вот все вы где да для до его ее если есть"
        " еще же за здесь и из или им их к каждый как какая какие каким каких какой какую ко когда который"
        " которые кого кому кто куда ли между меня мне могу может можно мои мой мою моя мы на над надо нам"
        " нас наш наша наше наши не него нее нет ни них но нужно о об он она они оно от откуда очень по под"
        " почему при про с свои свой себя со сколько так такой там тебя то того тоже только том тот ту ты у"
        " уже чего чей чем через что чтобы эта эти это этого этой этом этот эту я"
    ),
    "arabic": (
        "أن أو أي أين إلى إن الذي الذين التي بين تكون تلك ثم حتى ذلك على عليه عليها عن عند في فيه فيها قد"
        " كان كانت كل كم كما كيف لا لك لكن لم لماذا لن لنا له لها لي ما ماذا متى مع من هذا هذه هل هم هو هي"
        " و يجب يكون يمكن ينبغي"
    ),
}

MAYBE_ENGLISH = frozenset(
    "a ad ai al ale also alt am an ante as ate az ben bent bin bis biz bo c ca car che chi ci co coi col"
    " com come comment con d da dai dal dan de dei del dell dem den der des die dies dir dit do doe dont"
    " door dos dove du e ed em en end er era es est et eu fa fait ga go ha had han hat hay heb hem hen hep"
    " her hier hin ho hun i il im in ins io is j ja je kim l la las le les li lo los m ma mam man mas me men"
    " mes met mi mia mio mir mis mit mon mu my n na nad nam nas ne nic no non nos nu nun o ob od of on one"
    " ono op os ou over par para pas per plus po pod pour que qui s sa sans se sea sem sen ser ses si sia"
    " sin so son soy sta su sue sui sur sus t ta tak tam tan te tem ten ter tes ti til to todo todos ton tot"
    " tout tu ty u um un una under uno uns va van var vers vi von vos w want war was wat we wen wie wil will"
    " wo word y ya yo z za ze zo".split()
)
"""Words of `FUNCTION_WORDS` that English texts hold too, as words, names or abbreviations: alone they
say nothing of the language."""


@cache
def function_words() -> dict[str, frozenset[str]]:
    """The function words of each language but English, folded; by the name of its stemmer."""
    folded = fold("\n".join(_FUNCTION_WORDS.values())).split("\n")
    return {name: frozenset(words.split()) for name, words in zip(_FUNCTION_WORDS, folded, strict=True)}


@cache
def languages_of() -> dict[str, tuple[str, ...]]:
    """The languages in whose function words a word is, by word."""
    found: dict[str, tuple[str, ...]] = {}
    for name, words in function_words().items():
        for word in words:
            found[word] = (*found.get(word, ()), name)
    return found


@cache
def telling_words() -> frozenset[str]:
    """Function words that no English text holds."""
    return frozenset(languages_of()) - MAYBE_ENGLISH - STOP_WORDS
